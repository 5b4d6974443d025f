package verification

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/event"
)

const (
	minLifetime = time.Second
	maxLifetime = time.Hour
	maxSession  = 128 // bytes
	maxSaid     = 500 // characters

	// reportGrace is how long after a room's lifetime its reports are still
	// tried and its ledger is still known.
	reportGrace = 30 * time.Second
	// closeTimeout bounds the end of the game's side of a room.
	closeTimeout = 5 * time.Second
	// lastWordsTimeout bounds the wait for a room's last words.
	lastWordsTimeout = 3 * time.Second
)

// Bot holds verification rooms. Its methods are what the contract asks of a bot.
type Bot struct {
	id       string
	capacity int
	game     Game
	reporter Reporter
	meter    Meter
	log      *slog.Logger
	changed  chan struct{}
	sending  sync.WaitGroup  // one for each room that may still have reports to send
	running  context.Context // ends when reports are sent no more
	halt     context.CancelFunc

	mu           sync.Mutex
	rooms        map[string]*room // by id, also those that are over, until they are forgotten
	sessions     map[string]*room // those that are open or about to be
	leaving      bool
	backOffUntil time.Time // until when the game gives no rooms
}

// NewBot makes a bot that opens up to capacity rooms at once.
func NewBot(capacity int, game Game, reporter Reporter, meter Meter, log *slog.Logger) *Bot {
	running, halt := context.WithCancel(context.Background())
	return &Bot{
		id: unguessable(), capacity: capacity, game: game, reporter: reporter, meter: meter, log: log,
		changed: make(chan struct{}, 1),
		rooms:   map[string]*room{}, sessions: map[string]*room{},
		running: running, halt: halt,
	}
}

// ID is the bot's id, unique to the process and fit to be a part of a subject.
func (b *Bot) ID() string { return b.id }

// Free is how many rooms the bot could open now.
func (b *Bot) Free() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.leaving || b.backingOff() {
		return 0
	}
	return b.capacity - len(b.sessions)
}

func (b *Bot) backingOff() bool { return time.Now().Before(b.backOffUntil) }

// Held is how many rooms are open or about to be.
func (b *Bot) Held() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.sessions)
}

// Changed yields a token whenever Free may have changed.
func (b *Bot) Changed() <-chan struct{} { return b.changed }

// Open opens a room for a session, or answers with the one that the session
// has. Returns ErrOpenRefused, ErrFull, ErrBackingOff or ErrNoRoom.
func (b *Bot) Open(ctx context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	lifetime := time.Duration(req.Lifetime) * time.Millisecond
	if req.Session == "" || len(req.Session) > maxSession || lifetime < minLifetime || lifetime > maxLifetime {
		return event.RoomOpened{}, ErrOpenRefused
	}
	r, fresh, err := b.reserve(req.Session, lifetime)
	if err != nil {
		return event.RoomOpened{}, err
	}
	if fresh {
		b.fill(ctx, r)
	}
	select {
	case <-r.opened:
	case <-ctx.Done():
		return event.RoomOpened{}, ErrNoRoom.Because(ctx.Err())
	}
	if r.err != nil {
		return event.RoomOpened{}, refusal(r.err)
	}
	return event.RoomOpened{Bot: b.id, Room: r.id, Link: r.game.Link()}, nil
}

// Say has the bot say a text, which is kept nowhere but in the room.
// Returns ErrSayRefused, ErrRoomUnknown or ErrNotSaid.
func (b *Bot) Say(ctx context.Context, req event.SayInRoom) error {
	if strings.TrimSpace(req.Text) == "" || utf8.RuneCountInString(req.Text) > maxSaid {
		return ErrSayRefused
	}
	r := b.find(req.Room)
	if r == nil || !r.open() {
		return ErrRoomUnknown
	}
	if err := r.game.Say(ctx, req.Text); err != nil {
		return ErrNotSaid.Because(err)
	}
	if waited, ok := r.told(); ok {
		b.meter.Told(waited)
	}
	return nil
}

// State says who is and who ever was in a room. A room that the bot does not
// know is one that is not open.
func (b *Bot) State(_ context.Context, req event.RoomQuery) (event.RoomView, error) {
	r := b.find(req.Room)
	if r == nil {
		return event.RoomView{Room: req.Room, Present: []event.Visitor{}, Seen: []event.Visitor{}}, nil
	}
	return r.view(), nil
}

// Close ends a room after a last text. A room that is over is none to close, and that is fine.
func (b *Bot) Close(ctx context.Context, req event.CloseRoom) error {
	if utf8.RuneCountInString(req.Text) > maxSaid {
		return ErrSayRefused
	}
	r := b.find(req.Room)
	if r == nil || !r.open() {
		return nil
	}
	if strings.TrimSpace(req.Text) != "" {
		b.sayLast(ctx, r, req.Text)
	}
	b.end(ctx, r, Closed, "closed on request")
	return nil
}

// sayLast says a room's last words, if the game takes them in time: the room's
// end is more urgent.
func (b *Bot) sayLast(ctx context.Context, r *room, text string) {
	ctx, cancel := context.WithTimeout(ctx, lastWordsTimeout)
	defer cancel()
	if err := r.game.Say(ctx, text); err != nil {
		b.log.Warn("last words were not said", "room", r.id, "error", err)
	}
}

// Abandon ends every room against its will, because the bot cannot do its duty
// any more.
func (b *Bot) Abandon(ctx context.Context, reason string) {
	for _, r := range b.held() {
		b.end(ctx, r, Abandoned, reason)
	}
}

// Shutdown opens no more rooms, ends those that are open, and returns when
// their reports are sent or ctx ends.
func (b *Bot) Shutdown(ctx context.Context) {
	b.mu.Lock()
	b.leaving = true
	b.mu.Unlock()
	b.Abandon(ctx, "the bot is shutting down")

	sent := make(chan struct{})
	go func() {
		b.sending.Wait()
		close(sent)
	}()
	select {
	case <-sent:
	case <-ctx.Done():
	}
	b.halt()
	<-sent
}

// reserve finds the session's room or takes a place for a new one.
func (b *Bot) reserve(session string, lifetime time.Duration) (r *room, fresh bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, ok := b.sessions[session]; ok {
		return r, false, nil
	}
	switch {
	case b.leaving || len(b.sessions) >= b.capacity:
		return nil, false, ErrFull
	case b.backingOff():
		return nil, false, ErrBackingOff
	}
	id := unguessable()
	r = &room{
		id: id, session: session, deadline: time.Now().Add(lifetime),
		reports: newReports(), lost: b.lose,
		opened: make(chan struct{}), ledger: newLedger(b.id, id, session),
	}
	b.sessions[session] = r
	b.sending.Add(1)
	b.signal()
	return r, true, nil
}

// fill opens the game's side of a reserved room and starts the room's life.
func (b *Bot) fill(ctx context.Context, r *room) {
	defer close(r.opened)
	r.game, r.err = b.game.Open(ctx, r)
	if r.err != nil {
		b.log.Warn("no room was opened", "error", r.err)
		b.meter.Ended(Refused)
		b.backOff(r.err)
		b.release(r)
		b.sending.Done()
		return
	}
	b.log.Info("room opened", "room", r.id)
	b.mu.Lock()
	b.rooms[r.id] = r
	leaving := b.leaving
	b.mu.Unlock()
	go func() {
		defer b.sending.Done()
		ctx, cancel := context.WithDeadline(b.running, r.deadline.Add(reportGrace))
		defer cancel()
		r.reports.send(ctx, b.reporter, b.log.With("room", r.id))
	}()

	r.mu.Lock()
	r.lifetime = time.AfterFunc(time.Until(r.deadline), func() { b.end(b.running, r, Expired, "lifetime over") })
	r.mu.Unlock()
	time.AfterFunc(time.Until(r.deadline)+reportGrace, func() { b.forget(r) })
	if leaving {
		b.end(ctx, r, Abandoned, "the bot is shutting down")
	}
}

// backOff keeps the bot from asking the game for rooms while it gives none.
func (b *Bot) backOff(err error) {
	var later RetryLaterError
	if !errors.As(err, &later) {
		return
	}
	b.mu.Lock()
	if until := time.Now().Add(later.For); until.After(b.backOffUntil) {
		b.backOffUntil = until
	}
	b.mu.Unlock()
	time.AfterFunc(later.For, b.signal)
}

// refusal is what the one who asked for a room is told of the game's error.
func refusal(err error) error {
	if later := (RetryLaterError{}); errors.As(err, &later) {
		return ErrBackingOff.Because(err)
	}
	return ErrNoRoom.Because(err)
}

// end ends an open room: in the ledger first, so that nobody enters any more.
func (b *Bot) end(ctx context.Context, r *room, outcome Outcome, reason string) {
	kind := event.RoomClosed
	if outcome == Abandoned {
		kind = event.RoomLost
	}
	if !r.end(kind, reason) {
		return
	}
	b.log.Info("room ended", "room", r.id, "outcome", outcome, "reason", reason)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := r.game.Close(ctx); err != nil {
		b.log.Warn("the game's room was not closed", "room", r.id, "error", err)
	}
	b.meter.Ended(outcome)
	b.release(r)
}

// lose takes note of a room that the game has lost.
func (b *Bot) lose(r *room, reason string) {
	b.log.Warn("room ended", "room", r.id, "outcome", Lost, "reason", reason)
	b.meter.Ended(Lost)
	b.release(r)
}

func (b *Bot) find(id string) *room {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rooms[id]
}

func (b *Bot) held() []*room {
	b.mu.Lock()
	defer b.mu.Unlock()
	var held []*room
	for _, r := range b.sessions {
		if b.rooms[r.id] != nil {
			held = append(held, r)
		}
	}
	return held
}

// release gives the room's place back.
func (b *Bot) release(r *room) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sessions[r.session] == r {
		delete(b.sessions, r.session)
	}
	b.signal()
}

func (b *Bot) forget(r *room) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.rooms, r.id)
}

func (b *Bot) signal() {
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// unguessable is 128 random bits in characters that a subject and a link may hold.
func unguessable() string { return strings.ToLower(rand.Text()) }
