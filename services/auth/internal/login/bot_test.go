package login_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/login"
)

var errSilent = errors.New("no answer")

// bot holds one room. It reports nothing by itself: a test takes what happened
// from reports and delivers it as it likes.
type bot struct {
	mu      sync.Mutex
	session string
	view    event.RoomView
	reports []event.RoomReport
	said    []string
	opened  int
	// silent has it answer nothing, mute only not speak.
	silent, mute bool
	lastWords    string
	// queues has it answer with a position in its queue; held are the numbers of rooms that addresses had.
	queues bool
	held   []int
	// onSay is called when something is about to be said, onClose when a room is about to be closed.
	onSay   func(text string)
	onClose func()
}

const botID, roomID = "bot1", "room1"

func (b *bot) Open(_ context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent {
		return event.RoomOpened{}, errSilent
	}
	b.opened++
	b.session, b.held = req.Session, append(b.held, req.Held)
	if b.queues {
		b.view = event.RoomView{Room: roomID}
		return event.RoomOpened{Bot: botID, Room: roomID, Position: 2}, nil
	}
	b.view = event.RoomView{Room: roomID, Open: true}
	return event.RoomOpened{Bot: botID, Room: roomID, Link: fmt.Sprintf("https://game.test/%d", b.opened)}, nil
}

func (b *bot) Say(_ context.Context, _ login.Room, text string) error {
	if b.onSay != nil {
		b.onSay(text)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.silent || b.mute:
		return errSilent
	case !b.view.Open:
		return login.ErrRoomGone
	}
	b.said = append(b.said, text)
	return nil
}

func (b *bot) State(context.Context, login.Room) (event.RoomView, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent {
		return event.RoomView{}, errSilent
	}
	view := b.view
	view.Present, view.Seen = slices.Clone(view.Present), slices.Clone(view.Seen)
	return view, nil
}

func (b *bot) Close(_ context.Context, _ login.Room, text string) error {
	if b.onClose != nil {
		b.onClose()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent {
		return errSilent
	}
	if b.view.Open {
		b.view.Open, b.view.Present, b.lastWords = false, nil, text
	}
	return nil
}

func (b *bot) join(name string, guest bool) {
	v := event.Visitor{Visit: int64(len(b.view.Seen) + 1), Name: name, Guest: guest, Level: 7}
	b.view.Seen, b.view.Present = append(b.view.Seen, v), append(b.view.Present, v)
	b.report(event.RoomJoined, &v)
}

func (b *bot) leave(visit int64) {
	at := slices.IndexFunc(b.view.Present, func(v event.Visitor) bool { return v.Visit == visit })
	v := b.view.Present[at]
	b.view.Present = slices.Delete(slices.Clone(b.view.Present), at, at+1)
	b.report(event.RoomLeft, &v)
}

func (b *bot) rename(visit int64) {
	b.view.Renamed = true
	b.report(event.RoomRenamed, &b.view.Seen[visit-1])
}

func (b *bot) end(kind event.RoomReportKind) {
	b.view.Open, b.view.Present = false, nil
	b.report(kind, nil)
}

func (b *bot) report(kind event.RoomReportKind, v *event.Visitor) {
	b.reports = append(b.reports, event.RoomReport{
		Room: roomID, Bot: botID, Session: b.session, Number: int64(len(b.reports) + 1), Kind: kind, Visitor: v,
		At: noon,
	})
}

var digits = regexp.MustCompile(`\b[0-9]{6}\b`)

// codes are the codes that were said.
func (b *bot) codes() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var codes []string
	for _, text := range b.said {
		codes = append(codes, digits.FindAllString(text, -1)...)
	}
	return codes
}
