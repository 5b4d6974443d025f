package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
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
	b  *bundle
	id string
	// held has reports wait until release.
	held bool

	mu    sync.Mutex
	rooms map[string]*room
	// losesRooms makes it lose each room before it has answered with it.
	losesRooms bool

	full   bool  // logins get a position in the queue
	others []int // the numbers of rooms that the logins' addresses had
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
	waiting []event.RoomReport
	sent    []event.RoomReport
}

// startBot serves until the test ends.
func (b *bundle) startBot(id string) *bot {
	b.t.Helper()
	bot := b.newBot(id)
	bot.start()
	return bot
}

// newBot returns a bot that does not serve yet.
func (b *bundle) newBot(id string) *bot {
	return &bot{b: b, id: id, rooms: map[string]*room{}, opened: make(chan *room, 1000)}
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

func (o *bot) open(ctx context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	opened, err := o.openRoom(req)
	if err == nil && o.losesRooms {
		o.mu.Lock()
		r := o.rooms[opened.Room]
		r.view.Open = false
		o.mu.Unlock()
		r.report(ctx, event.RoomLost, nil)
	}
	return opened, err
}

func (o *bot) openRoom(req event.OpenRoom) (event.RoomOpened, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if req.Lifetime < (3 * time.Minute).Milliseconds() {
		return event.RoomOpened{}, problem.InvalidArgument("open_room_malformed", "Too short.")
	}
	id := fmt.Sprintf("%s-room%d", o.id, len(o.rooms)+1)
	o.others = append(o.others, req.Held)
	r := &room{bot: o, session: req.Session, view: event.RoomView{Room: id, Open: !o.full}}
	o.rooms[id] = r
	o.opened <- r
	if o.full {
		return event.RoomOpened{Bot: o.id, Room: id, Position: 2}, nil
	}
	return event.RoomOpened{Bot: o.id, Room: id, Link: "https://game.test/" + id}, nil
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

func (r *room) join(name string, guest bool) {
	r.bot.mu.Lock()
	v := event.Visitor{Visit: int64(len(r.view.Seen) + 1), Name: name, Guest: guest, Level: 70,
		Skin: json.RawMessage(`{"layers":[],"bc":1}`)}
	r.view.Seen, r.view.Present = append(r.view.Seen, v), append(r.view.Present, v)
	r.bot.mu.Unlock()
	r.report(r.bot.b.t.Context(), event.RoomJoined, &v)
}

func (r *room) leave(visit int64) {
	r.bot.mu.Lock()
	at := slices.IndexFunc(r.view.Present, func(v event.Visitor) bool { return v.Visit == visit })
	v := r.view.Present[at]
	r.view.Present = slices.Delete(slices.Clone(r.view.Present), at, at+1)
	r.bot.mu.Unlock()
	r.report(r.bot.b.t.Context(), event.RoomLeft, &v)
}

func (r *room) rename(visit int64) {
	r.bot.mu.Lock()
	r.view.Renamed = true
	v := r.view.Seen[visit-1]
	r.bot.mu.Unlock()
	r.report(r.bot.b.t.Context(), event.RoomRenamed, &v)
}

func (r *room) lose() {
	r.bot.mu.Lock()
	r.view.Open, r.view.Present = false, nil
	r.bot.mu.Unlock()
	r.report(r.bot.b.t.Context(), event.RoomLost, nil)
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
	if r.bot.held {
		r.waiting = append(r.waiting, report)
		return
	}
	r.send(ctx, report, fmt.Sprintf("%s.%d", report.Room, report.Number))
}

func (r *room) send(ctx context.Context, report event.RoomReport, id string) {
	body, err := json.Marshal(report)
	if err == nil {
		_, err = r.bot.b.JetStream.Publish(ctx, event.RoomEventSubject(report.Room), body, jetstream.WithMsgID(id))
	}
	if err != nil {
		r.bot.b.t.Errorf("report %s: %v", id, err)
	}
	r.sent = append(r.sent, report)
}

// replay sends all reports again, as if the stream had not seen them.
func (r *room) replay(round int) {
	r.bot.mu.Lock()
	defer r.bot.mu.Unlock()
	for _, report := range slices.Backward(slices.Clone(r.sent)) {
		r.send(r.bot.b.t.Context(), report, fmt.Sprintf("%s.%d again %d", report.Room, report.Number, round))
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

func (r *room) wrongCode(t *testing.T) string {
	t.Helper()
	if r.code(t) == "000000" {
		return "000001"
	}
	return "000000"
}

func (r *room) isOpen() bool {
	r.bot.mu.Lock()
	defer r.bot.mu.Unlock()
	return r.view.Open
}
