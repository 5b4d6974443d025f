package login

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

// memory keeps sessions in a map. While away it keeps and knows nothing, and neither
// does it for who has no time left.
type memory struct {
	mu       sync.Mutex
	sessions map[string]Session
	away     bool
}

func (m *memory) Create(_ context.Context, s Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away {
		return ErrStoreUnavailable
	}
	m.sessions[s.ID] = s
	return nil
}

func (m *memory) Get(ctx context.Context, id string) (Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.get(ctx, id)
}

func (m *memory) get(ctx context.Context, id string) (Session, error) {
	s, ok := m.sessions[id]
	switch {
	case m.away || ctx.Err() != nil:
		return Session{}, ErrStoreUnavailable
	case !ok:
		return Session{}, ErrSessionUnknown
	}
	s.Seen = slices.Clone(s.Seen)
	return s, nil
}

func (m *memory) Change(ctx context.Context, id string, change func(*Session) error) (Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.get(ctx, id)
	if err != nil {
		return Session{}, err
	}
	err = change(&s)
	m.sessions[id] = s
	return s, err
}

func (m *memory) setAway(away bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = away
}

// addresses keeps the claims of client addresses.
type addresses struct {
	mu     sync.Mutex
	atOnce int
	now    func() time.Time
	claims map[string][]Claim
}

func (a *addresses) Claim(_ context.Context, address, session string) ([]Claim, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	others := slices.Clone(a.claims[address])
	if len(others) >= a.atOnce {
		return others, false, nil
	}
	a.claims[address] = append(a.claims[address], Claim{session, a.now()})
	return others, true, nil
}

func (a *addresses) Release(_ context.Context, address, session string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.claims[address] = slices.DeleteFunc(a.claims[address], func(c Claim) bool { return c.Session == session })
	return nil
}

// registry registers everybody, unless it has a problem.
type registry struct {
	mu         sync.Mutex
	problem    error
	registered []event.Visitor
}

func (r *registry) Register(_ context.Context, v event.Visitor) (event.PlayerState, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.problem != nil {
		return event.PlayerState{}, r.problem
	}
	r.registered = append(r.registered, v)
	return event.PlayerState{ID: "p1", Version: 1, Name: v.Name, Level: v.Level, Registered: true}, nil
}

// grants begins sessions of the site, unless it has a problem.
type grants struct {
	mu      sync.Mutex
	problem error
	started []string
	// ended are refresh tokens, in the order of their end.
	ended []string
}

func (g *grants) Start(_ context.Context, p event.PlayerState) (session.Grant, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.problem != nil {
		return session.Grant{}, g.problem
	}
	token := fmt.Sprintf("refresh%d", len(g.started)+1)
	g.started = append(g.started, token)
	return session.Grant{AccessToken: "access", RefreshToken: token, Player: p}, nil
}

func (g *grants) End(_ context.Context, token string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if token != "" {
		g.ended = append(g.ended, token)
	}
	return nil
}

// allowance allows so many rooms.
type allowance struct{ left int }

func (a *allowance) Allow(context.Context, string) error {
	if a.left == 0 {
		return ErrTooManyRooms.WithRetryAfter(time.Minute)
	}
	a.left--
	return nil
}
