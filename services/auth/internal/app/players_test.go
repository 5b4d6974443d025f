package app_test

import (
	"context"
	"log/slog"
	"sync"

	"github.com/google/uuid"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
)

// players replaces the players service: it answers over NATS and publishes states, unless it is
// quiet.
type players struct {
	b     *bundle
	quiet bool

	mu    sync.Mutex
	named map[string]event.PlayerState
	stops []func()
}

func (b *bundle) startPlayers() *players {
	b.t.Helper()
	p := &players{b: b, named: map[string]event.PlayerState{}}
	p.serve()
	b.t.Cleanup(p.stop)
	return p
}

func (p *players) serve() {
	p.b.t.Helper()
	log := slog.New(slog.DiscardHandler)
	for _, start := range []func() (func(), error){
		func() (func(), error) {
			return eventbus.ServeRPC(p.b.NATS, event.RegisterPlayerSubject, "players", log, p.register)
		},
		func() (func(), error) {
			return eventbus.ServeRPC(p.b.NATS, event.GetPlayerSubject, "players", log, p.get)
		},
	} {
		stop, err := start()
		require.NoError(p.b.t, err)
		p.stops = append(p.stops, stop)
	}
	require.NoError(p.b.t, p.b.NATS.Flush())
}

func (p *players) stop() {
	for _, stop := range p.stops {
		stop()
	}
	p.stops = nil
}

func (p *players) register(ctx context.Context, req event.RegisterPlayer) (event.PlayerState, error) {
	p.mu.Lock()
	known, ok := p.named[req.Name]
	p.mu.Unlock()
	if ok {
		return known, nil
	}
	return p.changeWith(ctx, req.Name, func(s *event.PlayerState) { s.Level, s.Registered = req.Level, true }), nil
}

func (p *players) get(_ context.Context, req event.GetPlayer) (event.PlayerState, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.named {
		if s.ID == req.ID {
			return s, nil
		}
	}
	return event.PlayerState{}, problem.NotFound("player_unknown", "There is no such player.")
}

// change changes a player and publishes the state.
func (p *players) change(name string, change func(*event.PlayerState)) event.PlayerState {
	return p.changeWith(p.b.t.Context(), name, change)
}

func (p *players) changeWith(ctx context.Context, name string, change func(*event.PlayerState)) event.PlayerState {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.named[name]
	if !ok {
		s = event.PlayerState{ID: uuid.Must(uuid.NewV7()).String(), Name: name, Roles: []string{}}
	}
	change(&s)
	s.Version++
	p.named[name] = s
	if !p.quiet {
		p.b.publish(ctx, s)
	}
	return s
}

func (b *bundle) publish(ctx context.Context, s event.PlayerState) {
	if err := b.Publish(ctx, s); err != nil {
		b.t.Errorf("publish %s: %v", s.Subject(), err)
	}
}
