package login_test

import (
	"context"
	"fmt"
	"sync"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

// registry registers every player, unless it has a problem.
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
