package verification

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

const (
	minLifetime = time.Second
	maxLifetime = time.Hour
	maxSession  = 128 // bytes
	maxText     = 500 // characters

	// reportGrace is how long after a room's lifetime its reports are still sent and its state is still known.
	reportGrace = 30 * time.Second
	// openTimeout is how long a request waits for the creation of its room.
	openTimeout = 8 * time.Second
	// closeTimeout bounds the end of the game's side of a room.
	closeTimeout = 5 * time.Second
	// closingMessageTimeout bounds the sending of a room's closing message.
	closingMessageTimeout = 3 * time.Second
)

// The errors that the bot answers with.
var (
	ErrFull = problem.Unavailable("rooms_full",
		"All verification rooms are taken. Please try again in a moment.")
	ErrBackingOff = problem.Unavailable("bot_resting",
		"No verification room can be opened just now. Please try again in a moment.")
	ErrNoRoom = problem.Unavailable("room_not_opened",
		"The verification room could not be opened. Please try again in a moment.")
	ErrRoomUnknown    = problem.NotFound("room_unknown", "The room is gone.")
	ErrNotSent        = problem.Unavailable("room_not_reached", "The bot could not speak in the room.")
	ErrInvalidRequest = problem.InvalidArgument("open_room_malformed",
		"A room is opened for a session and for between a second and an hour.")
	ErrInvalidText = problem.InvalidArgument("say_malformed", "A text to say has between 1 and 500 characters.")
)

// Config configures how many rooms a bot holds, and how fast it creates them.
type Config struct {
	// Capacity is the largest number of rooms at once.
	Capacity int
	// Burst rooms are created at once, after that one in each Interval. An Interval of 0 is no limit.
	Burst    int
	Interval time.Duration
	// Spares is how many rooms are created ahead while no login waits.
	Spares int
	// QueueTimeout is how long a login waits for a room at most.
	QueueTimeout time.Duration
	// UnusedAfter is how long a room without visitors is kept while other logins wait.
	UnusedAfter time.Duration
	// CheckEvery is how often the bot checks its own rooms; 0 is never.
	CheckEvery time.Duration
}

// Bot holds verification rooms. Its methods are the requests of the contract in docs/bot.md.
type Bot struct {
	id       string
	cfg      Config
	game     Game
	reporter Reporter
	metrics  Metrics
	log      *slog.Logger
	changed  chan struct{}
	ctx      context.Context // ends when Shutdown begins
	cancel   context.CancelFunc
	sending  sync.WaitGroup // one for each room that may still have reports to send
	creating sync.WaitGroup // creations and rooms of the game

	mu       sync.Mutex
	queue    *queue
	rooms    map[string]*room // by id, including those that have ended, until they are forgotten
	sessions map[string]*room // those that wait or are open
	tick     *time.Timer      // nil when no dispatch is due
}

// NewBot returns a bot without rooms.
func NewBot(cfg Config, game Game, reporter Reporter, metrics Metrics, log *slog.Logger) *Bot {
	ctx, cancel := context.WithCancel(context.Background())
	return &Bot{
		id: newID(), cfg: cfg, game: game, reporter: reporter, metrics: metrics, log: log,
		changed: make(chan struct{}, 1), ctx: ctx, cancel: cancel,
		queue: newQueue(cfg), rooms: map[string]*room{}, sessions: map[string]*room{},
	}
}

// ID returns the bot's id, which is unique to the process and can be a part of a subject.
func (b *Bot) ID() string { return b.id }

// Start creates the first spare rooms.
func (b *Bot) Start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dispatch()
}

// OpenNow opens a room for a session, or returns the room that the session has. It returns
// ErrInvalidRequest, ErrBackingOff, ErrNoRoom, or ErrFull where the login would have to wait.
func (b *Bot) OpenNow(ctx context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	return b.openRoom(ctx, req, false)
}

// Open is OpenNow, except that a login may wait: then the answer is its position in the queue. It
// returns ErrInvalidRequest, ErrFull, ErrBackingOff or ErrNoRoom.
func (b *Bot) Open(ctx context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	return b.openRoom(ctx, req, true)
}

func (b *Bot) openRoom(ctx context.Context, req event.OpenRoom, mayWait bool) (event.RoomOpened, error) {
	lifetime := time.Duration(req.Lifetime) * time.Millisecond
	if req.Session == "" || len(req.Session) > maxSession || lifetime < minLifetime || lifetime > maxLifetime {
		return event.RoomOpened{}, ErrInvalidRequest
	}
	r, soon, err := b.enqueue(req, lifetime, mayWait)
	if err != nil {
		return event.RoomOpened{}, err
	}
	if soon {
		timeout := time.NewTimer(openTimeout)
		defer timeout.Stop()
		select {
		case <-r.decided:
		case <-timeout.C:
		case <-ctx.Done():
		}
	}
	return b.answer(r)
}

// answer returns the link of a session's room, or its position in the queue.
func (b *Bot) answer(r *room) (event.RoomOpened, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-r.decided:
		link := r.view().Link
		if r.err == nil && link == "" {
			return event.RoomOpened{}, ErrNoRoom // it has ended already
		}
		return event.RoomOpened{Bot: b.id, Room: r.id, Link: link}, r.err
	default:
		r.queued = true
		return event.RoomOpened{Bot: b.id, Room: r.id, Position: b.queue.position(r)}, nil
	}
}

// Say sends a text to a room's chat. The text is not stored. It returns ErrInvalidText, ErrRoomUnknown or ErrNotSent.
func (b *Bot) Say(ctx context.Context, req event.SayInRoom) error {
	if strings.TrimSpace(req.Text) == "" || utf8.RuneCountInString(req.Text) > maxText {
		return ErrInvalidText
	}
	r := b.find(req.Room)
	if r == nil {
		return ErrRoomUnknown
	}
	game := r.openGame()
	if game == nil {
		return ErrRoomUnknown
	}
	if err := game.Say(ctx, req.Text); err != nil {
		b.log.Warn("a text was not sent", "room", r.id, "error", err)
		return ErrNotSent.Wrap(err)
	}
	if waited, ok := r.responseTime(); ok {
		b.metrics.CodeSent(waited)
	}
	return nil
}

// State returns the present and all earlier visitors of a room. An unknown room is one that is not open.
func (b *Bot) State(_ context.Context, req event.RoomQuery) (event.RoomView, error) {
	r := b.find(req.Room)
	if r == nil {
		return event.RoomView{Room: req.Room, Present: []event.Visitor{}, Seen: []event.Visitor{}}, nil
	}
	return r.view(), nil
}

// Close ends a room after a closing message, or a login's wait. It does nothing for a room that has ended.
// It returns ErrInvalidText.
func (b *Bot) Close(ctx context.Context, req event.CloseRoom) error {
	if utf8.RuneCountInString(req.Text) > maxText {
		return ErrInvalidText
	}
	r := b.find(req.Room)
	if r == nil {
		return nil
	}
	if game := r.openGame(); game != nil && len(r.view().Present) > 0 && strings.TrimSpace(req.Text) != "" {
		sayCtx, cancel := context.WithTimeout(ctx, closingMessageTimeout)
		defer cancel()
		if err := game.Say(sayCtx, req.Text); err != nil {
			b.log.Warn("a closing message was not sent", "room", r.id, "error", err)
		}
	}
	b.end(ctx, r, Closed, "closed on request")
	return nil
}

// CloseAll ends every room and every login's wait, and reports them as lost.
func (b *Bot) CloseAll(ctx context.Context, reason string) {
	b.mu.Lock()
	var all []*room
	for _, r := range b.sessions {
		all = append(all, r)
	}
	b.mu.Unlock()
	for _, r := range all {
		b.end(ctx, r, Abandoned, reason)
	}
}

// Shutdown opens no more rooms, ends those that are open, and returns when
// their reports are sent or ctx ends.
func (b *Bot) Shutdown(ctx context.Context) {
	b.mu.Lock()
	b.queue.stopped = true
	b.mu.Unlock()
	b.cancel()
	b.CloseAll(ctx, "the bot is shutting down")

	sent := make(chan struct{})
	go func() {
		b.sending.Wait()
		close(sent)
	}()
	select {
	case <-sent:
		return
	case <-ctx.Done():
	}
	b.mu.Lock()
	for _, r := range b.rooms {
		r.stopReports()
	}
	b.mu.Unlock()
	<-sent
}

// Wait returns when all rooms of the game have ended. It is called after Shutdown.
func (b *Bot) Wait() { b.creating.Wait() }

func (b *Bot) isStopping() bool { return b.ctx.Err() != nil }

func (b *Bot) find(id string) *room {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rooms[id]
}
