package verification

import (
	"context"
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
		return event.RoomOpened{}, ErrNoRoom.Wrap(ctx.Err())
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
		return ErrNotSaid.Wrap(err)
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
