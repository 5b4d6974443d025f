package verification

import (
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/event"
)

// step is one thing that happens in a room.
type step func(r *room)

func join(name string) step {
	return func(r *room) { r.Joined(event.Visitor{Name: name, Level: 7}) }
}

func leave(visit int64) step {
	return func(r *room) { r.Left(visit) }
}

func rename(visit int64, name string) step {
	return func(r *room) { r.Renamed(visit, name) }
}

func end(kind event.RoomReportKind, reason string) step {
	return func(r *room) { r.end(kind, reason) }
}

// openRoom returns an open room without visitors.
func openRoom() *room {
	return &room{
		bot: &Bot{id: "b1"}, id: "r1", session: "s1", game: &fakeRoom{link: "link"}, renamed: map[int64]bool{},
		added: make(chan struct{}, 1),
	}
}

func visitor(visit int64, name string) event.Visitor {
	return event.Visitor{Visit: visit, Name: name, Level: 7}
}

func TestRoom(t *testing.T) {
	type line struct {
		Number int64
		Kind   event.RoomReportKind
		Visit  int64
		Reason string
	}
	cases := []struct {
		name    string
		steps   []step
		reports []line
		view    event.RoomView
	}{
		{"new room is open and empty", nil, nil, event.RoomView{Open: true}},
		{
			"visitor who joined is present and seen",
			[]step{join("cloudstep")},
			[]line{{1, event.RoomJoined, 1, ""}},
			event.RoomView{Open: true, LastReport: 1, Present: []event.Visitor{visitor(1, "cloudstep")},
				Seen: []event.Visitor{visitor(1, "cloudstep")}},
		},
		{
			"visitor who left is still seen",
			[]step{join("cloudstep"), leave(1)},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomLeft, 1, ""}},
			event.RoomView{Open: true, LastReport: 2, Seen: []event.Visitor{visitor(1, "cloudstep")}},
		},
		{
			"player who returns makes a second visit",
			[]step{join("cloudstep"), leave(1), join("cloudstep")},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomLeft, 1, ""}, {3, event.RoomJoined, 2, ""}},
			event.RoomView{
				Open: true, LastReport: 3,
				Present: []event.Visitor{visitor(2, "cloudstep")},
				Seen:    []event.Visitor{visitor(1, "cloudstep"), visitor(2, "cloudstep")},
			},
		},
		{
			"second visitor leaves and the first stays",
			[]step{join("cloudstep"), join("mossfoot"), leave(2)},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomJoined, 2, ""}, {3, event.RoomLeft, 2, ""}},
			event.RoomView{
				Open: true, LastReport: 3,
				Present: []event.Visitor{visitor(1, "cloudstep")},
				Seen:    []event.Visitor{visitor(1, "cloudstep"), visitor(2, "mossfoot")},
			},
		},
		{
			"leaving twice, or without a visit, is ignored",
			[]step{leave(1), join("cloudstep"), leave(1), leave(1)},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomLeft, 1, ""}},
			event.RoomView{Open: true, LastReport: 2, Seen: []event.Visitor{visitor(1, "cloudstep")}},
		},
		{
			"new name is reported once and the first name kept",
			[]step{join("cloudstep"), rename(1, "mossfoot"), rename(1, "third")},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomRenamed, 1, "mossfoot"}},
			event.RoomView{
				Open: true, LastReport: 2, Renamed: true,
				Present: []event.Visitor{visitor(1, "cloudstep")}, Seen: []event.Visitor{visitor(1, "cloudstep")},
			},
		},
		{
			"room ends once and later events are ignored",
			[]step{
				join("cloudstep"), end(event.RoomClosed, "end of the lifetime"), end(event.RoomLost, "again"),
				leave(1), rename(1, "mossfoot"), join("mossfoot"),
			},
			[]line{{1, event.RoomJoined, 1, ""}, {2, event.RoomClosed, 0, "end of the lifetime"}},
			event.RoomView{LastReport: 2, Seen: []event.Visitor{visitor(1, "cloudstep")}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := openRoom()
			for _, take := range c.steps {
				take(r)
			}
			var got []line
			for _, report := range r.takePending() {
				if report.Room != "r1" || report.Bot != "b1" || report.Session != "s1" || report.At.IsZero() {
					t.Errorf("report %+v lacks its room, bot, session or time", report)
				}
				entry := line{Number: report.Number, Kind: report.Kind, Reason: report.Reason}
				if report.Visitor != nil {
					entry.Visit = report.Visitor.Visit
				}
				got = append(got, entry)
			}
			assert.Equal(t, "reports", c.reports, got)
			c.view.Room = "r1"
			if c.view.Open {
				c.view.Link = "link"
			}
			assert.Equal(t, "view", c.view, r.view(), cmpopts.EquateEmpty())
		})
	}
}

func TestRoom_Joined_is_bounded(t *testing.T) {
	r := openRoom()
	for visit := int64(1); visit <= maxVisits; visit++ {
		if r.Joined(event.Visitor{Name: "cloudstep"}) != visit {
			t.Fatalf("visit %d was refused", visit)
		}
		r.Left(visit)
	}
	if r.Joined(event.Visitor{Name: "cloudstep"}) != 0 {
		t.Errorf("visit %d was accepted", maxVisits+1)
	}
}
