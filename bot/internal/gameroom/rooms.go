package gameroom

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/verification"
)

const (
	// places is the size of a room: the bot and one visitor.
	places = 2
	// openTimeout bounds the creation of a room, on all servers that are tried.
	openTimeout = 20 * time.Second
	// maxConnectPause bounds the pause after a connection that failed, or a login that got no answer.
	maxConnectPause = 30 * time.Second
)

// Step is a step to a room, at which the game can refuse.
type Step string

// The steps.
const (
	StepLogin   Step = "login"
	StepConnect Step = "connect"
	StepRoom    Step = "room"
)

// Steps returns all steps.
func Steps() []Step { return []Step{StepLogin, StepConnect, StepRoom} }

// Config configures how the game is treated.
type Config struct {
	Account bonkio.Credentials
	// Servers are used where the game names none. There is at least one.
	Servers []bonkio.Server
	// SiteName is a part of the rooms' names.
	SiteName string
	// Backoff follows refused logins, connections and rooms.
	Backoff BackoffLimits
	// Guests are removed GuestReads after a text was sent, or without one GuestStay after they entered.
	GuestStay, GuestReads time.Duration
	// ClosingPause is how long a room's closing message can be read before the room closes.
	ClosingPause time.Duration
}

// Rooms are the rooms of one bot on the game's servers. They are a verification.Game.
type Rooms struct {
	cfg     Config
	client  *bonkio.Client
	account *account
	servers *servers
	failed  *prometheus.CounterVec // by step
	log     *slog.Logger

	closing  sync.WaitGroup  // rooms whose closing message is being read
	stopping context.Context // ends the wait for that
	stop     context.CancelFunc
}

// NewFailures registers and returns the counter of requests that the game refused or did not answer.
func NewFailures(registry prometheus.Registerer) *prometheus.CounterVec {
	failures := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "bot_game_failures_total", Help: "Requests that the game refused or did not answer, by step.",
	}, []string{"step"})
	for _, step := range Steps() {
		failures.WithLabelValues(string(step))
	}
	registry.MustRegister(failures)
	return failures
}

// New returns rooms that count failures by step. It does not connect to the game yet.
func New(cfg Config, client *bonkio.Client, failures *prometheus.CounterVec, log *slog.Logger) *Rooms {
	stopping, stop := context.WithCancel(context.Background())
	return &Rooms{
		cfg: cfg, client: client, failed: failures, log: log, stopping: stopping, stop: stop,
		account: &account{
			client: client, credentials: cfg.Account, failed: failures, log: log, lock: semaphore.NewWeighted(1),
			longest: cfg.Backoff.Max, pauses: newPauses(cfg.Backoff),
		},
		servers: &servers{
			client: client, limits: cfg.Backoff, log: log, configured: cfg.Servers, pauses: map[string]*pauses{},
		},
	}
}

// Open implements verification.Game: on the first of the servers that gives a room.
func (r *Rooms) Open(ctx context.Context) (verification.GameRoom, error) {
	created, err := r.create(ctx)
	if err != nil {
		return nil, err
	}
	return &room{rooms: r, created: created, log: r.log, inside: map[int]*visitor{}}, nil
}

func (r *Rooms) create(ctx context.Context) (*bonkio.Room, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	began := time.Now() // before the candidates are chosen: a refusal after that is the same incident
	candidates, wait := r.servers.candidates(ctx)
	if len(candidates) == 0 {
		return nil, verification.RetryLaterError{For: wait, Cause: errors.New("every server has refused lately")}
	}
	var causes []error
	for _, server := range candidates {
		created, err := r.createOn(ctx, server, began)
		if err == nil {
			r.log.DebugContext(ctx, "the game has created a room", "server", server.Name)
			return created, nil
		}
		causes = append(causes, fmt.Errorf("%s: %w", server.Name, err))
		if !isWorthAnotherServer(ctx, err) {
			break
		}
	}
	err := errors.Join(causes...)
	if errors.Is(err, verification.ErrLimit) || errors.As(err, new(verification.RetryLaterError)) {
		return nil, err
	}
	if candidates, wait := r.servers.candidates(ctx); len(candidates) == 0 {
		return nil, verification.RetryLaterError{For: wait, Cause: err}
	}
	return nil, err
}

// isWorthAnotherServer reports whether another server may create the room that this one did not.
// All servers refuse the same account.
func isWorthAnotherServer(ctx context.Context, err error) bool {
	return ctx.Err() == nil &&
		!errors.As(err, new(verification.RetryLaterError)) && !errors.As(err, new(bonkio.RoomRefusedError))
}

// createOn creates a room on one server, for an attempt that began at a moment. A token that worked
// before and is refused now is replaced once.
func (r *Rooms) createOn(ctx context.Context, server bonkio.Server, began time.Time) (*bonkio.Room, error) {
	for {
		session, err := r.account.get(ctx)
		if err != nil {
			return nil, err
		}
		created, err := r.client.CreateRoom(ctx, server, session, Spec(r.cfg.SiteName))
		if err == nil {
			r.account.worked(ctx, session)
			r.servers.worked(server.Name)
			return created, nil
		}
		var refused bonkio.RoomRefusedError
		if !errors.As(err, &refused) {
			r.countFailure(StepConnect)
			r.servers.failed(server.Name, began, maxConnectPause)
			return nil, err
		}
		if refused.IsLimit() {
			r.countFailure(StepRoom)
			return nil, fmt.Errorf("%w: %w", verification.ErrLimit, err)
		}
		if mayBeTheToken(refused) && r.account.discard(ctx, session) {
			r.log.InfoContext(ctx, "the game does not accept the token any more", "reason", refused.Reason)
			continue
		}
		r.countFailure(StepRoom)
		r.servers.failed(server.Name, began, r.cfg.Backoff.Max)
		return nil, err
	}
}

func (r *Rooms) countFailure(step Step) { r.failed.WithLabelValues(string(step)).Inc() }

// mayBeTheToken reports whether a room may have been refused for an old token. The
// game has no reliable reason for that, but these have other causes.
func mayBeTheToken(refused bonkio.RoomRefusedError) bool {
	return !slices.Contains([]string{"banned", "room_full", "password_wrong"}, refused.Reason)
}

// Spec returns the room that is requested: for two, with a random password that is not stored.
func Spec(siteName string) bonkio.RoomSpec {
	return bonkio.RoomSpec{Name: siteName + " login", Password: bonkio.Secret(rand.Text()), Players: places}
}

// closeAfter closes a room after a pause, in which its closing message can be read.
func (r *Rooms) closeAfter(created *bonkio.Room, pause time.Duration) {
	r.closing.Go(func() {
		if pause > 0 {
			select {
			case <-time.After(pause):
			case <-r.stopping.Done():
			}
		}
		created.Close(context.Background())
	})
}

// Close closes the rooms whose closing message is being read, and returns when they
// are closed. All other rooms must be closed already.
func (r *Rooms) Close() {
	r.stop()
	r.closing.Wait()
}

// CheckSteps returns the steps at which Check can fail.
func CheckSteps() []string { return append([]string{string(StepRoom)}, bonkio.VisitSteps()...) }

// Check implements verification.Game: it opens a room, enters it over a second
// connection, reads a line there and is removed.
func (r *Rooms) Check(ctx context.Context) (failedStep string, err error) {
	created, err := r.create(ctx)
	if err != nil {
		return string(StepRoom), err
	}
	defer created.Close(ctx)
	err = created.Visit(ctx)
	var failed bonkio.VisitError
	_ = errors.As(err, &failed)
	return failed.Step, err
}
