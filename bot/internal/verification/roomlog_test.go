package verification

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// happening is one thing that a room goes through.
type happening func(l *roomLog) (event.RoomReport, bool)

func join(name string) happening {
	return func(l *roomLog) (event.RoomReport, bool) { return l.joined(event.Visitor{Name: name, Level: 7}, noon) }
}

func leave(visit int64) happening {
	return func(l *roomLog) (event.RoomReport, bool) { return l.left(visit, noon) }
}

func rename(visit int64, name string) happening {
	return func(l *roomLog) (event.RoomReport, bool) { return l.changedName(visit, name, noon) }
}

func end(kind event.RoomReportKind, reason string) happening {
	return func(l *roomLog) (event.RoomReport, bool) { return l.end(kind, reason, noon) }
}

func visitor(visit int64, name string) event.Visitor {
	return event.Visitor{Visit: visit, Name: name, Level: 7}
}

func TestRoomLog(t *testing.T) {
	type line struct {
		Number int64
		Kind   event.RoomReportKind
		Visit  int64
		Reason string
	}
	cases := []struct {
		name    string
		happens []happening
		reports []line
		view    event.RoomView
	}{
		{
			"a fresh room is open and empty", nil, nil,
			event.RoomView{Open: true},
		},
		{
			"who joins is present and seen",
			[]happening{join("cloudstep")},
			[]line{{1, event.RoomJoined, 1, ""}},
			event.RoomView{Open: true, LastReport: 1, Present: []event.Visitor{visitor(1, "cloudstep")},
				Seen: []event.Visitor{visitor(1, "cloudstep")}},
		},
		{
			"who leaves stays seen",
			[]happening{join("cloudstep"), leave(1)},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomLeft, 1, ""}},
			event.RoomView{Open: true, LastReport: 2, Seen: []event.Visitor{visitor(1, "cloudstep")}},
		},
		{
			"the same player coming back is a second visit",
			[]happening{join("cloudstep"), leave(1), join("cloudstep")},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomLeft, 1, ""}, {3, event.RoomJoined, 2, ""}},
			event.RoomView{
				Open: true, LastReport: 3,
				Present: []event.Visitor{visitor(2, "cloudstep")},
				Seen:    []event.Visitor{visitor(1, "cloudstep"), visitor(2, "cloudstep")},
			},
		},
		{
			"a second visitor is told from the first when they leave",
			[]happening{join("cloudstep"), join("mossfoot"), leave(2)},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomJoined, 2, ""}, {3, event.RoomLeft, 2, ""}},
			event.RoomView{
				Open: true, LastReport: 3,
				Present: []event.Visitor{visitor(1, "cloudstep")},
				Seen:    []event.Visitor{visitor(1, "cloudstep"), visitor(2, "mossfoot")},
			},
		},
		{
			"leaving twice, or without having come, is nothing",
			[]happening{leave(1), join("cloudstep"), leave(1), leave(1)},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomLeft, 1, ""}},
			event.RoomView{Open: true, LastReport: 2, Seen: []event.Visitor{visitor(1, "cloudstep")}},
		},
		{
			"a new name is reported once, and the name at the door is kept",
			[]happening{join("cloudstep"), rename(1, "mossfoot"), rename(1, "third")},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomRenamed, 1, "mossfoot"}},
			event.RoomView{
				Open: true, LastReport: 2, Renamed: true,
				Present: []event.Visitor{visitor(1, "cloudstep")}, Seen: []event.Visitor{visitor(1, "cloudstep")},
			},
		},
		{
			"a room ends once, and nothing happens in it afterwards",
			[]happening{
				join("cloudstep"), end(event.RoomClosed, "lifetime over"), end(event.RoomLost, "again"),
				leave(1), rename(1, "mossfoot"), join("mossfoot"),
			},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomClosed, 0, "lifetime over"}},
			event.RoomView{LastReport: 2, Seen: []event.Visitor{visitor(1, "cloudstep")}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := newRoomLog("b1", "r1", "s1")
			var got []line
			for _, happen := range c.happens {
				report, changed := happen(l)
				if !changed {
					continue
				}
				if report.Room != "r1" || report.Bot != "b1" || report.Session != "s1" || !report.At.Equal(noon) {
					t.Errorf("report %+v does not say where it is from", report)
				}
				entry := line{Number: report.Number, Kind: report.Kind, Reason: report.Reason}
				if report.Visitor != nil {
					entry.Visit = report.Visitor.Visit
				}
				got = append(got, entry)
			}
			if diff := cmp.Diff(c.reports, got); diff != "" {
				t.Errorf("reports (-want +got):\n%s", diff)
			}
			want := c.view
			want.Room = "r1"
			if want.Present == nil {
				want.Present = []event.Visitor{}
			}
			if want.Seen == nil {
				want.Seen = []event.Visitor{}
			}
			if diff := cmp.Diff(want, l.view()); diff != "" {
				t.Errorf("view (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRoomLog_Joined_is_bounded(t *testing.T) {
	l := newRoomLog("b1", "r1", "s1")
	for visit := int64(1); visit <= maxVisits; visit++ {
		if _, ok := l.joined(event.Visitor{Name: "cloudstep"}, noon); !ok {
			t.Fatalf("visit %d refused", visit)
		}
		l.left(visit, noon)
	}
	if _, ok := l.joined(event.Visitor{Name: "cloudstep"}, noon); ok {
		t.Errorf("visit %d let in", maxVisits+1)
	}
}

func TestRoomLog_View_is_a_copy(t *testing.T) {
	l := newRoomLog("b1", "r1", "s1")
	l.joined(event.Visitor{Name: "cloudstep"}, noon)
	before := l.view()
	l.joined(event.Visitor{Name: "mossfoot"}, noon)
	l.left(1, noon)
	if diff := cmp.Diff([]event.Visitor{{Visit: 1, Name: "cloudstep"}}, before.Present); diff != "" {
		t.Errorf("a view changed after it was taken:\n%s", diff)
	}
}
