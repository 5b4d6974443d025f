// Package recordtest holds the naive model of runs and leaderboards, for tests of
// the domain, and the contract that the model and the real store keep.
package recordtest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"capzone.dev/services/records/internal/record"
)

// Memory keeps runs in memory and computes everything anew at each question. It
// is the measure of the real store.
type Memory struct {
	mu        sync.Mutex
	accepted  []stored // in the order of acceptance
	maps      map[string]record.Map
	players   map[string]record.Player
	delivered map[record.Delivery]bool
	kept      map[string]bool
	// former are players whose runs are others' now.
	former map[string]bool
}

type stored struct {
	record.Run
	removed bool
}

// NewMemory returns a store with nothing in it.
func NewMemory() *Memory {
	return &Memory{
		maps: map[string]record.Map{}, players: map[string]record.Player{},
		delivered: map[record.Delivery]bool{}, kept: map[string]bool{}, former: map[string]bool{},
	}
}

// Kept returns how many files were stored.
func (m *Memory) Kept() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.kept)
}

// Keep implements record.Replays.
func (m *Memory) Keep(_ context.Context, hash string, _ []byte) (record.Upload, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[hash] = true
	return upload(hash), nil
}

type upload string

func (u upload) Key() string { return string(u) }

// LookUp implements record.Runs.
func (m *Memory) LookUp(_ context.Context, playerID string, mapID int64, r record.Run) (found record.Found, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if player, ok := m.players[playerID]; ok {
		found.Player = &player
	}
	for _, known := range m.maps {
		if known.BonkDBID == mapID && !known.Removed {
			found.Map, r.MapID = &known, known.ID
		}
	}
	if twin, err := m.twin(r); err == nil {
		found.Twin = &twin
	}
	return found, nil
}

// Twin implements record.Runs.
func (m *Memory) Twin(_ context.Context, r record.Run) (record.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.twin(r)
}

func (m *Memory) twin(r record.Run) (record.Run, error) {
	for _, s := range m.accepted {
		if s.ReplayHash == r.ReplayHash {
			return s.Run, nil
		}
	}
	for _, s := range m.accepted {
		if s.SameMoment(r) {
			return s.Run, nil
		}
	}
	return record.Run{}, record.ErrRecordUnknown
}

// Add implements record.Runs.
func (m *Memory) Add(_ context.Context, a record.Addition) (record.Standing, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a.Delivery != (record.Delivery{}) && m.delivered[a.Delivery] {
		return record.Standing{}, record.ErrDelivered
	}
	if m.maps[a.Run.MapID].Removed {
		return record.Standing{}, record.ErrMapRemoved
	}
	if m.players[a.Run.PlayerID].MergedInto != "" {
		return record.Standing{}, record.ErrPlayerMerged
	}
	if twin, err := m.twin(a.Run); err == nil {
		return record.Standing{}, a.Run.AgainstTwin(twin)
	}
	m.delivered[a.Delivery] = true
	standing := record.Standing{PersonalBest: true}
	if best, ok := m.best(a.Run.MapID, a.Run.PlayerID); ok {
		standing.PreviousBest = best.FinishTime
		standing.PersonalBest = a.Run.Beats(best)
	}
	m.accepted = append(m.accepted, stored{Run: a.Run})
	for i, row := range m.board(a.Run.MapID) {
		if row.PlayerID == a.Run.PlayerID {
			standing.Rank = int64(i + 1)
		}
	}
	return standing, nil
}

// Remove implements record.Removals.
func (m *Memory) Remove(_ context.Context, id string, _ record.Attribution) (record.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, s := range m.accepted {
		switch {
		case s.ID != id:
		case s.removed:
			return s.Run, record.ErrAlreadyRemoved
		default:
			m.accepted[i].removed = true
			return s.Run, nil
		}
	}
	return record.Run{}, record.ErrRecordUnknown
}

// standing returns the runs that stand, in the order of acceptance.
func (m *Memory) standing() []record.Run {
	var runs []record.Run
	for _, s := range m.accepted {
		if !s.removed && !m.maps[s.MapID].Removed {
			runs = append(runs, s.Run)
		}
	}
	return runs
}

func (m *Memory) best(mapID, playerID string) (best record.Run, ok bool) {
	for _, r := range m.standing() {
		if r.MapID == mapID && r.PlayerID == playerID && (!ok || r.Beats(best)) {
			best, ok = r, true
		}
	}
	return best, ok
}

// board returns the rows of a leaderboard in their order.
func (m *Memory) board(mapID string) []record.Run {
	bests := map[string]record.Run{}
	for _, r := range m.standing() {
		if best, ok := bests[r.PlayerID]; r.MapID == mapID && (!ok || r.Beats(best)) {
			bests[r.PlayerID] = r
		}
	}
	rows := make([]record.Run, 0, len(bests))
	for _, r := range bests {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, record.Compare)
	return rows
}

// Leaderboard implements record.Catalogue.
func (m *Memory) Leaderboard(_ context.Context, q record.Leaderboard) (record.Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, ok := m.maps[q.MapID]
	switch {
	case !ok:
		return record.Page{}, record.ErrMapUnknown
	case known.Removed:
		return record.Page{}, record.ErrMapRemoved
	}
	board := m.board(q.MapID)
	rows := board
	if q.PlayerID != "" {
		rows = slices.DeleteFunc(slices.Clone(board), func(r record.Run) bool { return r.PlayerID != q.PlayerID })
	}
	page := m.page(rows, q.Window)
	for i := range page.Entries {
		e := &page.Entries[i]
		e.Rank = 1 + int64(slices.IndexFunc(board, func(r record.Run) bool { return r.ID == e.ID }))
		e.ReplayHash = "" // which a leaderboard does not tell
	}
	return page, nil
}

// List implements record.Catalogue.
func (m *Memory) List(_ context.Context, q record.List) (record.Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var runs []record.Run
	for _, r := range m.standing() {
		if q.PlayerID == "" || q.PlayerID == r.PlayerID {
			runs = append(runs, r)
		}
	}
	slices.SortFunc(runs, func(a, b record.Run) int {
		order := record.Compare(a, b)
		if q.Sort.By == record.ByUpdated {
			if order = a.CreatedAt.Compare(b.CreatedAt); order == 0 {
				order = strings.Compare(a.ID, b.ID)
			}
		}
		if q.Sort.Descending {
			return -order
		}
		return order
	})
	return m.page(runs, q.Window), nil
}

// Entry implements record.Catalogue.
func (m *Memory) Entry(_ context.Context, id string) (record.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.standing() {
		if r.ID != id {
			continue
		}
		entry := m.entry(r)
		if entry.PersonalBest {
			entry.Rank = 1 + int64(slices.IndexFunc(m.board(r.MapID), func(row record.Run) bool { return row.ID == id }))
		}
		return entry, nil
	}
	return record.Entry{}, record.ErrRecordUnknown
}

func (m *Memory) entry(r record.Run) record.Entry {
	best, _ := m.best(r.MapID, r.PlayerID)
	return record.Entry{
		Run:          r,
		Map:          record.Map{ID: r.MapID, Name: m.maps[r.MapID].Name, Medals: m.maps[r.MapID].Medals},
		Player:       record.Player{ID: r.PlayerID, Name: m.players[r.PlayerID].Name, SkinColor: m.players[r.PlayerID].SkinColor, SkinImageURL: m.players[r.PlayerID].SkinImageURL},
		PersonalBest: best.ID == r.ID,
	}
}

func (m *Memory) page(runs []record.Run, w record.Window) record.Page {
	page := record.Page{Total: int64(len(runs))}
	from := min(w.Offset, len(runs))
	for _, r := range runs[from:min(from+w.Limit, len(runs))] {
		page.Entries = append(page.Entries, m.entry(r))
	}
	return page
}

// Stats implements record.Totals.
func (m *Memory) Stats(context.Context) (record.Stats, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stats := record.Stats{Records: int64(len(m.standing()))}
	for _, known := range m.maps {
		if !known.Removed {
			stats.Maps++
		}
	}
	for _, p := range m.players {
		if p.Registered {
			stats.Players++
		}
	}
	return stats, nil
}

// Counts returns how many runs stand of each map and each player that ever had one.
func (m *Memory) Counts() (maps, players map[string]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps, players = map[string]int64{}, map[string]int64{}
	for id := range m.former {
		players[id] = 0
	}
	for _, s := range m.accepted {
		maps[s.MapID], players[s.PlayerID] = 0, 0
	}
	for _, r := range m.standing() {
		maps[r.MapID]++
		players[r.PlayerID]++
	}
	return maps, players
}

// Map implements record.MapCopies.
func (m *Memory) Map(_ context.Context, id string) (record.Map, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.maps[id]; ok {
		return known, nil
	}
	return record.Map{}, record.ErrMapUnknown
}

// MapByGameID implements record.MapCopies.
func (m *Memory) MapByGameID(_ context.Context, id int64) (record.Map, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, known := range m.maps {
		if known.BonkDBID == id && !known.Removed {
			return known, nil
		}
	}
	return record.Map{}, record.ErrMapUnknown
}

// TakeMap implements record.MapCopies.
func (m *Memory) TakeMap(_ context.Context, taken record.Map) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := m.maps[taken.ID]; known.Version < taken.Version && !known.Removed {
		m.maps[taken.ID] = taken
	}
	return nil
}

// Player implements record.PlayerCopies.
func (m *Memory) Player(_ context.Context, id string) (record.Player, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p, ok := m.players[id]; ok {
		return p, nil
	}
	return record.Player{}, record.ErrPlayerUnknown
}

// TakePlayer implements record.PlayerCopies.
func (m *Memory) TakePlayer(_ context.Context, p record.Player) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := m.players[p.ID]; known.Version < p.Version || known.MergedInto == "" && p.MergedInto != "" {
		m.players[p.ID] = p
	}
	for i, s := range m.accepted {
		if owner := m.owner(s.PlayerID); owner != s.PlayerID {
			m.former[s.PlayerID] = true
			m.accepted[i].PlayerID = owner
		}
	}
	return nil
}

func (m *Memory) owner(player string) string {
	for m.players[player].MergedInto != "" {
		player = m.players[player].MergedInto
	}
	return player
}
