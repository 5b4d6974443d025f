package gameroom

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/verification"
)

const (
	// places are the bot's and one visitor's.
	places = 2
	// openTimeout leaves whoever asked for a room time for another bot.
	openTimeout = 8 * time.Second
)

// Step is where the game can refuse.
type Step string

// The steps to a room.
const (
	StepLogin   Step = "login"
	StepConnect Step = "connect"
	StepRoom    Step = "room"
)

// Steps are all of them.
func Steps() []Step { return []Step{StepLogin, StepConnect, StepRoom} }

// Config says how to treat the game.
type Config struct {
	Account bonkio.Credentials
	// Servers are names of game servers, at least one.
	Servers []string
	// SiteName is what visitors are greeted with.
	SiteName string
	// RoomsPerMinute is how many rooms to ask the game for at most.
	RoomsPerMinute int
	// Backoff follows refused logins, connections and rooms.
	Backoff BackoffLimits
	// GuestStay is how long a guest may stay who was told nothing, GuestReads how
	// long one may read what was said.
	GuestStay, GuestReads time.Duration
	// Parting is how long a room's last words can be read before it closes.
	Parting time.Duration
	// Failed counts refusals.
	Failed func(Step)
}

// Rooms are the rooms of one bot on the game's servers. They are a verification.Game.
type Rooms struct {
	cfg     Config
	client  *bonkio.Client
	account *account
	servers *servers
	log     *slog.Logger

	mu      sync.Mutex
	quota   quota
	parting sync.WaitGroup // rooms whose last words are being read
	hurry   func()         // ends that
	hurried <-chan struct{}
}

// New makes rooms. It asks the game for nothing yet.
func New(cfg Config, client *bonkio.Client, log *slog.Logger) *Rooms {
	hurried, hurry := context.WithCancel(context.Background())
	return &Rooms{
		cfg: cfg, client: client, log: log,
		account: newAccount(client, cfg, log), servers: newServers(cfg.Servers, cfg.Backoff),
		quota: quota{limit: cfg.RoomsPerMinute}, hurry: hurry, hurried: hurried.Done(),
	}
}

// Open implements verification.Game: on the first of the servers that gives a room.
func (r *Rooms) Open(ctx context.Context, watcher verification.Watcher) (verification.GameRoom, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	r.mu.Lock()
	wait := r.quota.take(time.Now())
	r.mu.Unlock()
	if wait > 0 {
		return nil, verification.RetryLaterError{For: wait, Cause: errors.New("as many rooms as may be were opened within a minute")}
	}
	names, wait := r.servers.inTurn(time.Now())
	if len(names) == 0 {
		return nil, verification.RetryLaterError{For: wait, Cause: errors.New("every server has refused before")}
	}
	var causes []error
	for _, name := range names {
		created, err := r.createOn(ctx, name)
		if err == nil {
			r.log.DebugContext(ctx, "the game has given a room", "server", name)
			return r.enter(created, watcher), nil
		}
		causes = append(causes, fmt.Errorf("%s: %w", name, err))
		if !worthAnother(ctx, err) {
			break
		}
	}
	return nil, r.retryLater(errors.Join(causes...))
}

// worthAnother tells whether another server may give what this one did not. An
// account that is refused is refused everywhere.
func worthAnother(ctx context.Context, err error) bool {
	var later verification.RetryLaterError
	var refused bonkio.RoomRefusedError
	return ctx.Err() == nil && !errors.As(err, &later) && !errors.As(err, &refused)
}

// retryLater adds to an error for how long there are no rooms, if that is so.
func (r *Rooms) retryLater(err error) error {
	if known := (verification.RetryLaterError{}); errors.As(err, &known) {
		return err
	}
	if names, wait := r.servers.inTurn(time.Now()); len(names) == 0 {
		return verification.RetryLaterError{For: wait, Cause: err}
	}
	return err
}

// createOn creates a room on one server. A token that has worked before and
// does not now is replaced once.
func (r *Rooms) createOn(ctx context.Context, server string) (*bonkio.Room, error) {
	for {
		session, err := r.account.get(ctx)
		if err != nil {
			return nil, err
		}
		created, err := r.client.CreateRoom(ctx, server, session, Spec(r.cfg.SiteName))
		if err == nil {
			r.account.worked(ctx, session)
			r.servers.worked(server)
			return created, nil
		}
		var refused bonkio.RoomRefusedError
		if errors.As(err, &refused) && mayBeTheToken(refused) && r.account.stale(ctx, session) {
			r.log.InfoContext(ctx, "the game does not take the token any more", "reason", refused.Reason)
			continue
		}
		step := StepConnect
		if refused.Reason != "" {
			step = StepRoom
		}
		r.cfg.Failed(step)
		r.servers.failed(server, time.Now())
		return nil, err
	}
}

// mayBeTheToken tells whether a room may have been refused for an old token. The
// game has no word for that which could be relied on, but others that rule it out.
func mayBeTheToken(refused bonkio.RoomRefusedError) bool {
	others := []string{"banned", "room_full", "password_wrong"}
	return !slices.Contains(others, refused.Reason) && !strings.Contains(refused.Reason, "rate_limit")
}

// Spec is what is asked of the game: a room for two with a password that nobody is told.
func Spec(siteName string) bonkio.RoomSpec {
	return bonkio.RoomSpec{Name: siteName + " login", Password: bonkio.Secret(rand.Text()), Players: places}
}

// part closes a room, after a pause where its last words are still to be read.
func (r *Rooms) part(created *bonkio.Room, pause time.Duration) {
	r.parting.Go(func() {
		if pause > 0 {
			timer := time.NewTimer(pause)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-r.hurried:
			}
		}
		created.Close(context.Background())
	})
}

// Close closes the rooms whose last words are being read, and returns when they
// are closed. No room may be open any more.
func (r *Rooms) Close() {
	r.hurry()
	r.parting.Wait()
}
