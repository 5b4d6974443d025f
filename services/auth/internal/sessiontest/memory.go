// Package sessiontest holds what every store of sessions must do, and a store in
// memory for the tests of use cases.
package sessiontest

import (
	"context"
	"sync"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

// Memory is a session.Families and a session.Copies.
type Memory struct {
	mu       sync.Mutex
	families map[string]*family
	tokens   map[session.Hash]token
	players  map[string]event.PlayerState
}

type family struct {
	session.Family
	generation int
	// began is when each generation began.
	began   map[int]time.Time
	revoked session.Cause
	expires time.Time
}

type token struct {
	session.Token
	family     string
	generation int
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{
		families: map[string]*family{},
		tokens:   map[session.Hash]token{},
		players:  map[string]event.PlayerState{},
	}
}

// Start implements session.Families.
func (m *Memory) Start(_ context.Context, f session.Family, t session.Token, p event.PlayerState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.take(p)
	if known := m.players[p.ID]; known.Banned || known.Removed {
		return session.ErrBanned
	}
	m.families[f.ID] = &family{Family: f, began: map[int]time.Time{}}
	m.add(m.families[f.ID], t)
	return nil
}

// Find implements session.Families.
func (m *Memory) Find(_ context.Context, presented session.Hash) (session.TokenState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.tokens[presented]
	if !ok {
		return session.TokenState{}, session.ErrInvalid
	}
	f := m.families[t.family]
	return session.TokenState{Family: f.Family, Revoked: f.revoked != "", ExpiresAt: t.ExpiresAt, UsedAt: f.began[t.generation+1]}, nil
}

// Rotate implements session.Families.
func (m *Memory) Rotate(_ context.Context, presented session.Hash, next session.Token) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.tokens[presented]
	f, ok := m.families[t.family]
	if !ok || f.revoked != "" || t.generation != f.generation || !next.CreatedAt.Before(t.ExpiresAt) {
		return false, nil
	}
	f.generation++
	m.add(f, next)
	return true, nil
}

// AddSibling implements session.Families.
func (m *Memory) AddSibling(_ context.Context, id string, next session.Token) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.families[id]
	if !ok || f.revoked != "" {
		return false, nil
	}
	m.add(f, next)
	return true, nil
}

// Revoke implements session.Families.
func (m *Memory) Revoke(_ context.Context, id string, because session.Cause, _ time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.revoke(id, because)
	return nil
}

// RevokeToken implements session.Families.
func (m *Memory) RevokeToken(_ context.Context, presented session.Hash, because session.Cause, _ time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.revoke(m.tokens[presented].family, because)
	return nil
}

// Sweep implements session.Families.
func (m *Memory) Sweep(_ context.Context, expiredBefore time.Time, most int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	swept := 0
	for hash, t := range m.tokens {
		if swept < most && t.ExpiresAt.Before(expiredBefore) {
			delete(m.tokens, hash)
			swept++
		}
	}
	for id, f := range m.families {
		if swept < most && f.expires.Before(expiredBefore) {
			delete(m.families, id)
			swept++
		}
	}
	return swept, nil
}

// Player implements session.Copies.
func (m *Memory) Player(_ context.Context, id string) (event.PlayerState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.players[id]
	if !ok {
		return event.PlayerState{}, session.ErrPlayerUnknown
	}
	return p, nil
}

// TakePlayer implements session.Copies.
func (m *Memory) TakePlayer(_ context.Context, p event.PlayerState, _ time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if barred := p.Banned || p.Removed; !m.take(p) || !barred {
		return nil
	}
	for id, f := range m.families {
		if f.PlayerID == p.ID {
			m.revoke(id, session.EndedBy(p))
		}
	}
	return nil
}

func (m *Memory) take(p event.PlayerState) bool {
	if known, ok := m.players[p.ID]; ok && known.Version >= p.Version {
		return false
	}
	m.players[p.ID] = p
	return true
}

func (m *Memory) add(f *family, t session.Token) {
	m.tokens[t.Hash] = token{Token: t, family: f.ID, generation: f.generation}
	if _, ok := f.began[f.generation]; !ok {
		f.began[f.generation] = t.CreatedAt
	}
	if t.ExpiresAt.After(f.expires) {
		f.expires = t.ExpiresAt
	}
}

func (m *Memory) revoke(id string, because session.Cause) {
	if f, ok := m.families[id]; ok && f.revoked == "" {
		f.revoked = because
	}
}
