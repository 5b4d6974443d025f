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

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/verification"
)

const (
	// places are the bot's and one visitor's.
	places = 2
	// openTimeout bounds the creation of a room, on all servers that are tried.
	openTimeout = 20 * time.Second
	// maxConnectPause bounds the pause after a connection that failed.
	maxConnectPause = 30 * time.Second
)

// Step is a step at which the game can refuse.
type Step string

// The steps to a room.
const (
	StepLogin   Step = "login"
	StepConnect Step = "connect"
	StepRoom    Step = "room"
)

// Steps returns all steps.
func Steps() []Step { return []Step{StepLogin, StepConnect, StepRoom} }

// Config says how to treat the game.
type Config struct {
	Account bonkio.Credentials
	// Servers are used where the game names none. There is at least one.
	Servers []bonkio.Server
	// SiteName is a part of the rooms' names.
	SiteName string
	// Backoff follows refused logins, connections and rooms.
	Backoff BackoffLimits
	// GuestStay is how long a guest may stay who was told nothing, GuestReads how
	// long one may read what was said.
	GuestStay, GuestReads time.Duration
	// ClosingPause is how long a room's closing message can be read before the room closes.
	ClosingPause time.Duration
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

	closing sync.WaitGroup // rooms whose closing message is being read
	hurry   func()         // ends the wait for that
	hurried <-chan struct{}
}

// New returns rooms. It does not connect to the game yet.
func New(cfg Config, client *bonkio.Client, log *slog.Logger) *Rooms {
	hurried, hurry := context.WithCancel(context.Background())
	return &Rooms{
		cfg: cfg, client: client, log: log,
		account: newAccount(client, cfg, log), servers: newServers(client, cfg, log),
		hurry: hurry, hurried: hurried.Done(),
	}
}

// Open implements verification.Game: on the first of the servers that gives a room.
func (r *Rooms) Open(ctx context.Context) (verification.GameRoom, error) {
	created, err := r.create(ctx)
	if err != nil {
		return nil, err
	}
	return newRoom(r, created), nil
}

func (r *Rooms) create(ctx context.Context) (*bonkio.Room, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	candidates, wait := r.servers.candidates(ctx)
	if len(candidates) == 0 {
		return nil, verification.RetryLaterError{For: wait, Cause: errors.New("every server has refused before")}
	}
	var causes []error
	for _, server := range candidates {
		created, err := r.createOn(ctx, server)
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
	var later verification.RetryLaterError
	var limit verification.LimitError
	if errors.As(err, &later) || errors.As(err, &limit) {
		return nil, err
	}
	if candidates, wait := r.servers.candidates(ctx); len(candidates) == 0 {
		return nil, verification.RetryLaterError{For: wait, Cause: err}
	}
	return nil, err
}

// isWorthAnotherServer reports whether another server may create the room that this
// one did not. An account that is refused is refused everywhere.
func isWorthAnotherServer(ctx context.Context, err error) bool {
	var later verification.RetryLaterError
	var refused bonkio.RoomRefusedError
	return ctx.Err() == nil && !errors.As(err, &later) && !errors.As(err, &refused)
}

// createOn creates a room on one server. A token that has worked before and
// does not now is replaced once.
func (r *Rooms) createOn(ctx context.Context, server bonkio.Server) (*bonkio.Room, error) {
	for {
		session, err := r.account.get(ctx)
		if err != nil {
			return nil, err
		}
		began := time.Now()
		created, err := r.client.CreateRoom(ctx, server, session, Spec(r.cfg.SiteName))
		if err == nil {
			r.account.worked(ctx, session)
			r.servers.worked(server.Name)
			return created, nil
		}
		var refused bonkio.RoomRefusedError
		if !errors.As(err, &refused) {
			r.cfg.Failed(StepConnect)
			r.servers.failed(server.Name, began, maxConnectPause)
			return nil, err
		}
		if refused.IsLimit() {
			r.cfg.Failed(StepRoom)
			return nil, verification.LimitError{Cause: err}
		}
		if mayBeTheToken(refused) && r.account.discard(ctx, session) {
			r.log.InfoContext(ctx, "the game does not accept the token any more", "reason", refused.Reason)
			continue
		}
		r.cfg.Failed(StepRoom)
		r.servers.failed(server.Name, began, r.cfg.Backoff.Max)
		return nil, err
	}
}

// mayBeTheToken reports whether a room may have been refused for an old token. The
// game has no reliable reason for that, but these rule it out.
func mayBeTheToken(refused bonkio.RoomRefusedError) bool {
	return !slices.Contains([]string{"banned", "room_full", "password_wrong"}, refused.Reason)
}

// Spec returns the room that is requested: for two, with a random password that is not kept.
func Spec(siteName string) bonkio.RoomSpec {
	return bonkio.RoomSpec{Name: siteName + " login", Password: bonkio.Secret(rand.Text()), Players: places}
}

// closeAfter closes a room after a pause, in which its closing message can be read.
func (r *Rooms) closeAfter(created *bonkio.Room, pause time.Duration) {
	r.closing.Go(func() {
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

// Close closes the rooms whose closing message is being read, and returns when they
// are closed. No room may be open any more.
func (r *Rooms) Close() {
	r.hurry()
	r.closing.Wait()
}
