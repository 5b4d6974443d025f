package login_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/redisclient"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/redis"
	"capzone.dev/services/auth/internal/session"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// roomsPerHour is the number of rooms of an address that may be counted in an hour.
const roomsPerHour = 200

// bundle is a service and what it stands on.
type bundle struct {
	*login.Logins
	clock    *clock
	sessions *sessions
	rooms    *rooms
	bot      *bot
	registry *registry
	grants   *grants
	ticket   login.Ticket
	logged   *safeBuffer
}

// sessions are those of the store, which cannot be reached while unavailable is true.
type sessions struct {
	*redis.Store
	unavailable atomic.Bool
}

func (s *sessions) Create(ctx context.Context, session login.Session) error {
	if s.unavailable.Load() {
		return login.ErrStoreUnavailable
	}
	return s.Store.Create(ctx, session)
}

func (s *sessions) Change(ctx context.Context, id string, change func(*login.Session) error) (login.Session, error) {
	if s.unavailable.Load() {
		return login.Session{}, login.ErrStoreUnavailable
	}
	return s.Store.Change(ctx, id, change)
}

// rooms is a limiter that counts all rooms.
type rooms struct {
	login.Limiter
	counted atomic.Int64
}

func (r *rooms) Count(ctx context.Context, address string) error {
	r.counted.Add(1)
	return r.Limiter.Count(ctx, address)
}

// safeBuffer collects what is logged.
type safeBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{
		clock:    &clock{now: noon},
		bot:      &bot{},
		registry: &registry{},
		grants:   &grants{},
		logged:   &safeBuffer{},
	}
	client, err := redisclient.Connect(redistest.Start(t), redis.Timeout, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	store := redis.NewStore(client, roomsPerHour, b.clock.Now)
	b.sessions, b.rooms = &sessions{Store: store}, &rooms{Limiter: store}
	ids := 0
	b.Logins = &login.Logins{
		Sessions: b.sessions,
		Active:   store,
		Bots:     b.bot, Limiter: b.rooms, Players: b.registry, Grants: b.grants,
		Coder: login.Coder{Secret: []byte("secret")}, RoomsPerAddress: 2,
		NewID: func() string { ids++; return fmt.Sprintf("session%d", ids) },
		Now:   b.clock.Now,
		Log:   slog.New(slog.NewTextHandler(b.logged, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	t.Cleanup(func() {
		b.Wait()
		for _, code := range b.bot.codes() {
			if strings.Contains(b.logged.String(), code) {
				t.Errorf("the code %s is in the log:\n%s", code, b.logged)
			}
		}
	})
	return b
}

// begin asks for a room.
func (b *bundle) begin(t *testing.T) {
	t.Helper()
	ticket, err := b.Request(t.Context(), login.Key{}, "192.0.2.1")
	require.NoError(t, err)
	b.ticket = ticket
}

// deliver hands the reports that have not been delivered to the service.
func (b *bundle) deliver(t *testing.T) {
	t.Helper()
	reports := b.bot.reports
	b.bot.reports = nil
	for _, r := range reports {
		if err := b.Report(t.Context(), r); err != nil {
			t.Fatalf("report %d: %v", r.Number, err)
		}
	}
}

func (b *bundle) state(t *testing.T) login.Status {
	t.Helper()
	status, err := b.Status(t.Context(), b.ticket.SessionID, b.ticket.Key)
	require.NoError(t, err)
	return status
}

// code is the one code that was said.
func (b *bundle) code(t *testing.T) string {
	t.Helper()
	codes := b.bot.codes()
	if len(codes) != 1 {
		t.Fatalf("codes in the chat: %v, want one", codes)
	}
	return codes[0]
}

func (b *bundle) wrongCode(t *testing.T) string {
	t.Helper()
	if b.code(t) == "000000" {
		return "000001"
	}
	return "000000"
}

// earlier is the refresh token that the browser holds before it logs in.
const earlier = "refresh0"

// verify tries a code and lets everything happen that follows.
func (b *bundle) verify(t *testing.T, code string) (session.Grant, error) {
	t.Helper()
	defer b.Wait()
	return b.try(t, code)
}

func (b *bundle) try(t *testing.T, code string) (session.Grant, error) {
	t.Helper()
	return b.Verify(t.Context(), b.ticket.SessionID, code, b.ticket.Key, earlier)
}
