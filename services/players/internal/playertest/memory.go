// Package playertest holds a store of players in memory, for tests of the
// domain, and the contract that this store and the real one keep.
package playertest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

// Left is what changes left behind, in their order.
type Left struct {
	States []event.PlayerState
	Facts  []event.Fact
	Audit  []player.AuditEntry
}

// Memory keeps players in memory.
type Memory struct {
	mu      sync.Mutex
	clock   time.Time
	players map[string]player.Player
	left    Left
	claimed []string
}

// NewMemory returns a store without players. Its clock moves a second a change.
func NewMemory() *Memory {
	return &Memory{
		clock:   time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC),
		players: map[string]player.Player{},
	}
}

// Left returns what the changes so far have left behind.
func (m *Memory) Left() Left {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left
}

// Claimed returns the keys of the uploads that players came to name.
func (m *Memory) Claimed() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.claimed
}

// ByID implements player.Finder.
func (m *Memory) ByID(_ context.Context, id string) (player.Player, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.byID(id)
}

// ProfileByID implements player.Profiles. Nobody has maps or records here.
func (m *Memory) ProfileByID(ctx context.Context, id string) (player.Profile, error) {
	p, err := m.ByID(ctx, id)
	for err == nil && p.MergedInto != "" {
		p, err = m.ByID(ctx, p.MergedInto)
	}
	return profileOf(p), err
}

func profileOf(p player.Player) player.Profile {
	return player.Profile{
		ID: p.ID, Name: p.Name, Level: p.Level, Avatar: p.Avatar, SkinColor: p.SkinColor, Roles: p.Roles,
		Registered: p.Registered, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

// ByName implements player.Finder.
func (m *Memory) ByName(_ context.Context, name string) (player.Player, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.byName(name)
}

// Edit implements player.Editor.
func (m *Memory) Edit(_ context.Context, id string, edit player.Edit) (player.Player, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.byID(id)
	if err != nil {
		return player.Player{}, err
	}
	return m.change(p, edit)
}

// EditNamed implements player.NamedEditor.
func (m *Memory) EditNamed(_ context.Context, name string, edit player.Edit) (player.Player, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.byName(name)
	if err == nil && playername.Same(p.Name, name) {
		return m.change(p, edit)
	}
	made := player.Player{ID: uuid.Must(uuid.NewV7()).String(), Name: strings.TrimSpace(name), CreatedAt: m.clock}
	changed, failed := m.change(made, edit)
	if failed == nil && err == nil {
		_, failed = m.change(p, func(p *player.Player) (player.Effects, error) {
			p.LoseFormerName(name)
			return player.Effects{}, nil
		})
	}
	return changed, failed
}

// EditPair implements player.PairEditor.
func (m *Memory) EditPair(
	_ context.Context, firstID, secondID string, edit func(first, second *player.Player) (player.Effects, error),
) (first, second player.Player, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := map[string]player.Player{}
	for _, id := range []string{firstID, secondID} {
		p, err := m.byID(id)
		if err != nil {
			return first, second, err
		}
		if p.MergedInto != "" {
			return first, second, player.ErrMerged
		}
		before[id] = p
	}
	first, second = before[firstID].Clone(), before[secondID].Clone()
	effects, err := edit(&first, &second)
	if err != nil {
		return first, second, err
	}
	return m.store(before[firstID], first, effects), m.store(before[secondID], second, player.Effects{}), nil
}

func (m *Memory) byID(id string) (player.Player, error) {
	p, ok := m.players[id]
	if !ok {
		return player.Player{}, player.ErrUnknown
	}
	return p.Clone(), nil
}

func (m *Memory) byName(name string) (player.Player, error) {
	for _, p := range m.players {
		if playername.Same(p.Name, name) && p.MergedInto == "" {
			return p.Clone(), nil
		}
	}
	for _, p := range m.players {
		if playername.OneOf(name, p.FormerNames...) {
			return p.Clone(), nil
		}
	}
	return player.Player{}, player.ErrUnknown
}

func (m *Memory) change(before player.Player, edit player.Edit) (player.Player, error) {
	if before.MergedInto != "" {
		return player.Player{}, player.ErrMerged
	}
	p := before.Clone()
	effects, err := edit(&p)
	if err != nil {
		return player.Player{}, err
	}
	return m.store(before, p, effects), nil
}

func (m *Memory) store(before, p player.Player, effects player.Effects) player.Player {
	if p.Version > 0 && p.SameAs(before) {
		return before
	}
	p.Version++
	p.UpdatedAt = m.clock
	m.clock = m.clock.Add(time.Second)
	m.players[p.ID] = p.Clone()
	m.left.States = append(m.left.States, p.State())
	m.left.Facts = append(m.left.Facts, effects.Facts...)
	if effects.Audit != nil {
		m.left.Audit = append(m.left.Audit, *effects.Audit)
	}
	if effects.Avatar != nil {
		m.claimed = append(m.claimed, effects.Avatar.Key())
	}
	return p
}

// Search implements player.Searcher.
func (m *Memory) Search(_ context.Context, q player.Query) ([]player.Profile, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := []player.Profile{}
	for _, p := range m.players {
		if p.Registered && matches(p.Name, q.Name) {
			found = append(found, profileOf(p.Clone()))
		}
	}
	slices.SortFunc(found, func(a, b player.Profile) int {
		order := compare(q.Sort, a, b)
		if q.Descending {
			order = -order
		}
		return order
	})
	start := min(q.Offset, len(found))
	return found[start:min(start+q.Limit, len(found))], int64(len(found)), nil
}

func compare(by player.Sort, a, b player.Profile) int {
	order := 0
	switch by {
	case player.ByName:
		order = cmp.Compare(search.Key(a.Name), search.Key(b.Name))
	case player.ByLevel:
		order = cmp.Compare(a.Level, b.Level)
	case player.ByCreated:
		order = a.CreatedAt.Compare(b.CreatedAt)
	case player.ByUpdated:
		order = a.UpdatedAt.Compare(b.UpdatedAt)
	}
	return cmp.Or(order, cmp.Compare(a.ID, b.ID))
}

// matches reports whether a name matches a search term: short terms match at beginnings of words.
func matches(name, term string) bool {
	if strings.TrimSpace(term) == "" {
		return true
	}
	name, term = " "+search.Key(name), search.Key(term)
	if utf8.RuneCountInString(term) <= 2 {
		return term != "" && strings.Contains(name, " "+term)
	}
	return strings.Contains(name, term)
}
