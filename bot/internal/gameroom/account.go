package gameroom

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/verification"
)

// renewBefore is how long before its expiry a token is replaced.
const renewBefore = 2 * time.Minute

// account keeps the game account logged in, with one token for as long as the game accepts it.
type account struct {
	client      *bonkio.Client
	credentials bonkio.Credentials
	failed      *prometheus.CounterVec
	log         *slog.Logger
	longest     time.Duration // pause after a refused login

	lock    *semaphore.Weighted // of one; guards the fields below. Unlike a mutex it can be awaited with a context
	session bonkio.Session
	proven  bool // a room was opened with the session
	pauses  pauses
}

// get returns the session, after a login where there is none that is still valid.
// One of several callers at once logs in. It returns verification.RetryLaterError
// after a refused login.
func (a *account) get(ctx context.Context) (bonkio.Session, error) {
	if err := a.lock.Acquire(ctx, 1); err != nil {
		return bonkio.Session{}, err
	}
	defer a.lock.Release(1)
	expires := a.session.Expires
	if a.session.Token != "" && (expires.IsZero() || time.Until(expires) > renewBefore) {
		return a.session, nil
	}
	if left := a.pauses.left(time.Now()); left > 0 {
		return bonkio.Session{}, verification.RetryLaterError{For: left, Cause: errors.New("the last login failed")}
	}
	began := time.Now()
	session, err := a.client.Login(ctx, a.credentials)
	if err != nil {
		a.failed.WithLabelValues(string(StepLogin)).Inc()
		longest := maxConnectPause
		if errors.As(err, new(bonkio.LoginRefusedError)) {
			longest = a.longest
		}
		a.pauses.failed(began, time.Now(), longest)
		return bonkio.Session{}, verification.RetryLaterError{For: a.pauses.left(time.Now()), Cause: err}
	}
	a.log.InfoContext(ctx, "logged in to the game", "account", a.credentials.Name)
	a.pauses.worked()
	a.session, a.proven = session, false
	return session, nil
}

// worked records that a room was opened with the session.
func (a *account) worked(ctx context.Context, s bonkio.Session) {
	if a.lock.Acquire(ctx, 1) == nil {
		defer a.lock.Release(1)
		a.proven = a.proven || a.session == s
	}
}

// discard forgets a session with which a room was refused, if it worked before, and reports whether
// a new login may help.
func (a *account) discard(ctx context.Context, s bonkio.Session) bool {
	if a.lock.Acquire(ctx, 1) != nil {
		return false
	}
	defer a.lock.Release(1)
	switch {
	case a.session != s: // another caller has a new one
		return true
	case a.proven:
		a.session, a.proven = bonkio.Session{}, false
		return true
	default:
		return false
	}
}
