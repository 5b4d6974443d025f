package gameroom

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/verification"
)

// account keeps the game account logged in: with one token, as long as the game
// takes it.
type account struct {
	client      *bonkio.Client
	credentials bonkio.Credentials
	failed      func(Step)
	log         *slog.Logger

	turn    chan struct{} // holds a token while nobody uses what follows
	session bonkio.Session
	proven  bool // a room was opened with the session
	backoff backoff
}

func newAccount(client *bonkio.Client, cfg Config, log *slog.Logger) *account {
	a := &account{
		client: client, credentials: cfg.Account, failed: cfg.Failed, log: log,
		turn: make(chan struct{}, 1), backoff: backoff{limits: cfg.Backoff},
	}
	a.turn <- struct{}{}
	return a
}

// get returns the session, after a login where there is none. Of several calls
// at once one logs in. Returns verification.RetryLaterError after a refused login.
func (a *account) get(ctx context.Context) (bonkio.Session, error) {
	if err := a.lock(ctx); err != nil {
		return bonkio.Session{}, err
	}
	defer a.unlock()
	if a.session.Token != "" {
		return a.session, nil
	}
	if left := a.backoff.left(time.Now()); left > 0 {
		return bonkio.Session{}, verification.RetryLaterError{For: left, Cause: errors.New("the last login failed")}
	}
	session, err := a.client.Login(ctx, a.credentials)
	if err != nil {
		a.failed(StepLogin)
		now := time.Now()
		a.backoff.failed(now)
		return bonkio.Session{}, verification.RetryLaterError{For: a.backoff.left(now), Cause: err}
	}
	a.log.InfoContext(ctx, "logged in to the game", "account", a.credentials.Name)
	a.backoff.worked()
	a.session, a.proven = session, false
	return session, nil
}

// worked notes that a room was opened with the session.
func (a *account) worked(ctx context.Context, s bonkio.Session) {
	if a.lock(ctx) == nil {
		defer a.unlock()
		a.proven = a.proven || a.session == s
	}
}

// stale forgets a session with which a room was refused, if it was good before,
// and says so: then a new login may help. Otherwise the session is not to blame.
func (a *account) stale(ctx context.Context, s bonkio.Session) bool {
	if a.lock(ctx) != nil {
		return false
	}
	defer a.unlock()
	switch {
	case a.session != s: // somebody else has a new one
		return true
	case a.proven:
		a.session, a.proven = bonkio.Session{}, false
		return true
	default:
		return false
	}
}

func (a *account) lock(ctx context.Context) error {
	select {
	case <-a.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *account) unlock() { a.turn <- struct{}{} }
