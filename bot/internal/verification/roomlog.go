package verification

import (
	"slices"
	"time"

	"capzone.dev/platform/event"
)

// maxVisits bounds what the bot remembers and reports of one room. A room that a
// second visitor enters is void anyway.
const maxVisits = 32

// roomLog is what a bot knows of one room. It numbers the reports: every change
// yields exactly one. It does no locking.
type roomLog struct {
	bot, room, session string

	number  int64
	present []event.Visitor
	seen    []event.Visitor
	renamed map[int64]bool
	over    bool
}

func newRoomLog(bot, room, session string) *roomLog {
	return &roomLog{bot: bot, room: room, session: session, renamed: map[int64]bool{}}
}

// queued notes another place in the line.
func (l *roomLog) queued(place int, at time.Time) (event.RoomReport, bool) {
	if l.over {
		return event.RoomReport{}, false
	}
	report := l.report(event.RoomQueued, nil, "", at)
	report.Place = place
	return report, true
}

// ready notes that the room of a login that waited is open.
func (l *roomLog) ready(at time.Time) (event.RoomReport, bool) {
	if l.over {
		return event.RoomReport{}, false
	}
	return l.report(event.RoomReady, nil, "", at), true
}

// joined adds a visitor, under the next visit number. It reports false when
// nobody can enter any more: the room is over or has had too many visits.
func (l *roomLog) joined(v event.Visitor, at time.Time) (event.RoomReport, bool) {
	if l.over || len(l.seen) >= maxVisits {
		return event.RoomReport{}, false
	}
	v.Visit = int64(len(l.seen)) + 1
	l.present = append(l.present, v)
	l.seen = append(l.seen, v)
	return l.report(event.RoomJoined, &v, "", at), true
}

// left removes a visitor. It reports false when nobody of that visit is inside.
func (l *roomLog) left(visit int64, at time.Time) (event.RoomReport, bool) {
	i := l.find(visit)
	if l.over || i < 0 {
		return event.RoomReport{}, false
	}
	v := l.present[i]
	l.present = slices.Delete(slices.Clone(l.present), i, i+1)
	return l.report(event.RoomLeft, &v, "", at), true
}

// changedName notes that a visitor took another name. The name at the entry stays
// the one that counts; the new one is the report's reason. Only the first change of
// a visit is reported.
func (l *roomLog) changedName(visit int64, name string, at time.Time) (event.RoomReport, bool) {
	i := l.find(visit)
	if l.over || i < 0 || l.renamed[visit] {
		return event.RoomReport{}, false
	}
	l.renamed[visit] = true
	v := l.present[i]
	return l.report(event.RoomRenamed, &v, name, at), true
}

// end ends the log, as RoomClosed, RoomLost or RoomTaken. Nobody is present in a
// room that is over; who was seen stays known.
func (l *roomLog) end(kind event.RoomReportKind, reason string, at time.Time) (event.RoomReport, bool) {
	if l.over {
		return event.RoomReport{}, false
	}
	l.over = true
	l.present = nil
	return l.report(kind, nil, reason, at), true
}

// view returns the log as the contract shows it.
func (l *roomLog) view() event.RoomView {
	return event.RoomView{
		Room:       l.room,
		Open:       !l.over,
		LastReport: l.number,
		Present:    append([]event.Visitor{}, l.present...),
		Seen:       append([]event.Visitor{}, l.seen...),
		Renamed:    len(l.renamed) > 0,
	}
}

func (l *roomLog) find(visit int64) int {
	return slices.IndexFunc(l.present, func(v event.Visitor) bool { return v.Visit == visit })
}

func (l *roomLog) report(kind event.RoomReportKind, v *event.Visitor, reason string, at time.Time) event.RoomReport {
	l.number++
	return event.RoomReport{
		Room: l.room, Bot: l.bot, Session: l.session, Number: l.number,
		Kind: kind, Visitor: v, Reason: reason, At: at.UTC(),
	}
}

// isLast reports whether no report of a room follows one of this kind.
func isLast(kind event.RoomReportKind) bool {
	return kind == event.RoomClosed || kind == event.RoomLost || kind == event.RoomTaken
}
