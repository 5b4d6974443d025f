package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
)

// bot opens rooms and reports what tests have happen in them. It speaks with auth as a real one
// does, over NATS.
type bot struct {
	b      *bundle
	id     string
	mu     sync.Mutex
	rooms  map[string]*room
	full   bool // logins get a position in the queue
	opened chan *room
	stops  []func()
}

// room is one of the bot's rooms.
type room struct {
	bot     *bot
	session string
	view    event.RoomView
	number  int64
	said    []string
}

// startBot serves until the test ends.
func (b *bundle) startBot() *bot {
	b.t.Helper()
	bot := b.newBot()
	bot.start()
	return bot
}

// newBot returns a bot that does not serve yet.
func (b *bundle) newBot() *bot {
	return &bot{b: b, id: "bot1", rooms: map[string]*room{}, opened: make(chan *room, 1000)}
}

func (o *bot) start() {
	o.b.t.Helper()
	o.serve()
	o.b.t.Cleanup(o.stop)
}

type done struct{}

func (o *bot) serve() {
	o.b.t.Helper()
	log := slog.New(slog.DiscardHandler)
	add := func(stop func(), err error) {
		o.b.t.Helper()
		require.NoError(o.b.t, err)
		o.stops = append(o.stops, stop)
	}
	if !o.full {
		add(eventbus.ServeRPC(o.b.NATS, event.RoomOpenSubject, event.RoomOpenQueue, log, o.open))
	}
	add(eventbus.ServeRPC(o.b.NATS, event.RoomWaitSubject, event.RoomOpenQueue, log, o.open))
	add(eventbus.ServeRPC(o.b.NATS, event.RoomSaySubject(o.id), "", log, o.say))
	add(eventbus.ServeRPC(o.b.NATS, event.RoomStateSubject(o.id), "", log, o.state))
	add(eventbus.ServeRPC(o.b.NATS, event.RoomCloseSubject(o.id), "", log, o.close))
	require.NoError(o.b.t, o.b.NATS.Flush())
}

// stop makes the bot stop answering.
func (o *bot) stop() {
	for _, stop := range o.stops {
		stop()
	}
	o.stops = nil
}

func (o *bot) open(_ context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if req.Lifetime < (3 * time.Minute).Milliseconds() {
		return event.RoomOpened{}, problem.InvalidArgument("open_room_malformed", "Too short.")
	}
	id := fmt.Sprintf("%s-room%d", o.id, len(o.rooms)+1)
	r := &room{bot: o, session: req.Session, view: event.RoomView{Room: id, Open: !o.full}}
	o.rooms[id] = r
	o.opened <- r
	if o.full {
		return event.RoomOpened{Bot: o.id, Room: id, Position: 2}, nil
	}
	return event.RoomOpened{Bot: o.id, Room: id, Link: "https://game.test/" + id}, nil
}

// room returns the room with a link.
func (o *bot) room(link string) *room {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.rooms[strings.TrimPrefix(link, "https://game.test/")]
}

func (o *bot) say(_ context.Context, req event.SayInRoom) (done, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r := o.rooms[req.Room]
	if r == nil || !r.view.Open {
		return done{}, problem.NotFound("room_unknown", "The room is gone.")
	}
	r.said = append(r.said, req.Text)
	return done{}, nil
}

func (o *bot) state(_ context.Context, req event.RoomQuery) (event.RoomView, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r := o.rooms[req.Room]
	if r == nil {
		return event.RoomView{Room: req.Room}, nil
	}
	view := r.view
	view.Present, view.Seen = slices.Clone(view.Present), slices.Clone(view.Seen)
	return view, nil
}

func (o *bot) close(ctx context.Context, req event.CloseRoom) (done, error) {
	o.mu.Lock()
	r := o.rooms[req.Room]
	closes := r != nil && r.view.Open
	if closes {
		r.view.Open, r.view.Present = false, nil
		r.said = append(r.said, req.Text)
	}
	o.mu.Unlock()
	if closes {
		r.report(ctx, event.RoomClosed, nil)
	}
	return done{}, nil
}

// move reports another position in the queue.
func (r *room) move(position int) {
	r.reportAs(r.bot.b.t.Context(), event.RoomReport{Kind: event.RoomQueued, Position: position})
}

// ready opens the room of a login that waited.
func (r *room) ready() {
	r.bot.mu.Lock()
	r.view.Open, r.view.Link = true, "https://game.test/"+r.view.Room
	r.bot.mu.Unlock()
	r.report(r.bot.b.t.Context(), event.RoomReady, nil)
}

// join has a player enter the room.
func (r *room) join(name string) {
	r.bot.mu.Lock()
	v := event.Visitor{Visit: int64(len(r.view.Seen) + 1), Name: name, Level: 70,
		Skin: json.RawMessage(`{"layers":[],"bc":1}`)}
	r.view.Seen, r.view.Present = append(r.view.Seen, v), append(r.view.Present, v)
	r.bot.mu.Unlock()
	r.report(r.bot.b.t.Context(), event.RoomJoined, &v)
}

func (r *room) report(ctx context.Context, kind event.RoomReportKind, v *event.Visitor) {
	r.reportAs(ctx, event.RoomReport{Kind: kind, Visitor: v})
}

func (r *room) reportAs(ctx context.Context, report event.RoomReport) {
	r.bot.mu.Lock()
	defer r.bot.mu.Unlock()
	r.number++
	report.Room, report.Bot, report.Session = r.view.Room, r.bot.id, r.session
	report.Number, report.At = r.number, time.Now().UTC()
	id := fmt.Sprintf("%s.%d", report.Room, report.Number)
	body, err := json.Marshal(report)
	if err == nil {
		_, err = r.bot.b.JetStream.Publish(ctx, event.RoomEventSubject(report.Room), body, jetstream.WithMsgID(id))
	}
	if err != nil {
		r.bot.b.t.Errorf("report %s: %v", id, err)
	}
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// codes are the codes that were said in the room.
func (r *room) codes() []string {
	r.bot.mu.Lock()
	defer r.bot.mu.Unlock()
	var codes []string
	for _, text := range r.said {
		codes = append(codes, sixDigits.FindAllString(text, -1)...)
	}
	return codes
}

// code waits for the one code of the room.
func (r *room) code(t *testing.T) string {
	t.Helper()
	eventually.WaitFor(t, "a code", func() bool { return len(r.codes()) > 0 })
	if codes := r.codes(); len(codes) != 1 {
		t.Fatalf("codes in the chat: %v", codes)
	}
	return r.codes()[0]
}

func (r *room) isOpen() bool {
	r.bot.mu.Lock()
	defer r.bot.mu.Unlock()
	return r.view.Open
}
