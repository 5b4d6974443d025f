package maptest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Left is what changes left behind, in their order.
type Left struct {
	States []event.MapState
	Facts  []event.Fact
}

// Memory is a catalogue with its copies, in memory.
type Memory struct {
	mu      sync.Mutex
	maps    map[string]parkourmap.Map
	players map[string]parkourmap.Player
	records map[string]int64
	counted map[string]int64 // versions of records
	left    Left
	claimed []string
}

// NewMemory returns an empty catalogue.
func NewMemory() *Memory {
	return &Memory{
		maps: map[string]parkourmap.Map{}, players: map[string]parkourmap.Player{},
		records: map[string]int64{}, counted: map[string]int64{},
	}
}

// Left returns what the changes so far have left behind.
func (m *Memory) Left() Left {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left
}

// Claimed returns the keys of the uploads that maps came to name.
func (m *Memory) Claimed() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.claimed
}

// Existing implements parkourmap.Creations.
func (m *Memory) Existing(_ context.Context, bonkDBID int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.existing(bonkDBID)
}

func (m *Memory) existing(bonkDBID int64) error {
	for _, known := range m.maps {
		if known.BonkDBID == bonkDBID {
			if known.Removed {
				return parkourmap.ErrMapRemoved.WithData("_id", known.ID)
			}
			return parkourmap.ErrMapExists.WithData("_id", known.ID)
		}
	}
	return nil
}

// Create implements parkourmap.Creations.
func (m *Memory) Create(_ context.Context, c parkourmap.Creation) (parkourmap.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.existing(c.Map.BonkDBID); err != nil {
		return parkourmap.Entry{}, err
	}
	if m.players[c.Map.AuthorID].MergedInto != "" || m.players[c.Map.SubmittedByID].MergedInto != "" {
		return parkourmap.Entry{}, parkourmap.ErrPlayerMerged
	}
	m.maps[c.Map.ID] = c.Map
	for _, upload := range c.Uploads {
		m.claimed = append(m.claimed, upload.Key())
	}
	m.left.States = append(m.left.States, c.Map.State())
	m.left.Facts = append(m.left.Facts, c.Run)
	return m.entry(c.Map), nil
}

// Entry implements parkourmap.Catalogue.
func (m *Memory) Entry(_ context.Context, id string) (parkourmap.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.maps[id]
	if !ok || found.Removed {
		return parkourmap.Entry{}, parkourmap.ErrMapUnknown
	}
	return m.entry(found), nil
}

func (m *Memory) entry(found parkourmap.Map) parkourmap.Entry {
	shown := func(id string) parkourmap.Player {
		p := m.players[id]
		return parkourmap.Player{ID: id, Name: p.Name, SkinImageURL: p.SkinImageURL, SkinColor: p.SkinColor}
	}
	return parkourmap.Entry{
		Map: found, Author: shown(found.AuthorID), SubmittedBy: shown(found.SubmittedByID), Records: m.records[found.ID],
	}
}

// Search implements parkourmap.Catalogue.
func (m *Memory) Search(_ context.Context, s parkourmap.Search) (parkourmap.Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []parkourmap.Entry
	for _, candidate := range m.maps {
		if entry := m.entry(candidate); !candidate.Removed && answers(entry, s) {
			found = append(found, entry)
		}
	}
	slices.SortFunc(found, func(a, b parkourmap.Entry) int {
		order := cmp.Or(compare(a, b, s.SortBy), strings.Compare(a.ID, b.ID))
		if s.Descending {
			return -order
		}
		return order
	})
	from, to := min(s.Offset, len(found)), min(s.Offset+s.Limit, len(found))
	return parkourmap.Page{Entries: found[from:to], Total: int64(len(found))}, nil
}

func answers(entry parkourmap.Entry, s parkourmap.Search) bool {
	holds := func(name, part string) bool { return strings.Contains(searchkey.Key(name), searchkey.Key(part)) }
	for _, tag := range s.Tags {
		if !slices.Contains(entry.Tags, tag) {
			return false
		}
	}
	return holds(entry.Name, s.Name) && holds(entry.Author.Name, s.Author) &&
		(s.AuthorID == "" || s.AuthorID == entry.AuthorID) && (s.Mode == "" || s.Mode == entry.Mode)
}

func compare(a, b parkourmap.Entry, by parkourmap.SortBy) int {
	switch by {
	case parkourmap.ByName:
		return strings.Compare(searchkey.Key(a.Name), searchkey.Key(b.Name))
	case parkourmap.ByRecords:
		return cmp.Compare(a.Records, b.Records)
	default:
		return a.CreatedAt.Compare(b.CreatedAt)
	}
}

// PopularTags implements parkourmap.Catalogue.
func (m *Memory) PopularTags(_ context.Context, limit int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	uses := map[string]int{}
	for _, known := range m.maps {
		if !known.Removed {
			for _, tag := range known.Tags {
				uses[tag]++
			}
		}
	}
	tags := []string{}
	for tag := range uses {
		tags = append(tags, tag)
	}
	slices.SortFunc(tags, func(a, b string) int { return cmp.Or(cmp.Compare(uses[b], uses[a]), strings.Compare(a, b)) })
	return tags[:min(limit, len(tags))], nil
}

// Remove implements parkourmap.Corrections.
func (m *Memory) Remove(_ context.Context, id string, by parkourmap.Attribution) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.maps[id]
	switch {
	case !ok:
		return parkourmap.ErrMapUnknown
	case found.Removed:
		return parkourmap.ErrRemovedAlready
	}
	found.Removed, found.Files.Image, found.Files.Thumbnail = true, "", ""
	m.change(found)
	m.left.Facts = append(m.left.Facts, event.MapRemoved{MapID: id, Reason: by.Reason})
	return nil
}

// Reassign implements parkourmap.Corrections.
func (m *Memory) Reassign(_ context.Context, id string, author parkourmap.Player, by parkourmap.Attribution) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.maps[id]
	switch {
	case !ok || found.Removed:
		return parkourmap.ErrMapUnknown
	case found.AuthorID == author.ID:
		return parkourmap.ErrAuthorAlready
	case m.players[author.ID].MergedInto != "":
		return parkourmap.ErrPlayerMerged
	}
	before := found.AuthorID
	found.AuthorID = author.ID
	m.change(found)
	m.left.Facts = append(m.left.Facts, event.MapReassigned{MapID: id, OldAuthorID: before, NewAuthorID: author.ID, Reason: by.Reason})
	return nil
}

func (m *Memory) change(changed parkourmap.Map) {
	changed.Version++
	m.maps[changed.ID] = changed
	m.left.States = append(m.left.States, changed.State())
}

// Player implements parkourmap.PlayerCopies.
func (m *Memory) Player(_ context.Context, id string) (parkourmap.Player, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p, ok := m.players[id]; ok && (!p.Removed || p.MergedInto != "") {
		return p, nil
	}
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

// PlayerNamed implements parkourmap.PlayerCopies.
func (m *Memory) PlayerNamed(_ context.Context, key string) (parkourmap.Player, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.players {
		if !p.Removed && playername.Key(p.Name) == key {
			return p, nil
		}
	}
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

// TakePlayer implements parkourmap.PlayerCopies.
func (m *Memory) TakePlayer(_ context.Context, p parkourmap.Player) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !event.IsID(p.ID) {
		return parkourmap.ErrNoID
	}
	if known := m.players[p.ID]; known.Version < p.Version || known.MergedInto == "" && p.MergedInto != "" {
		if p.Removed {
			p.Name = known.Name
		}
		m.players[p.ID] = p
	}
	for _, known := range m.maps {
		author, submitter := m.owner(known.AuthorID), m.owner(known.SubmittedByID)
		if author != known.AuthorID || submitter != known.SubmittedByID {
			known.AuthorID, known.SubmittedByID = author, submitter
			m.change(known)
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

// TakeRecords stores how many records a map has, by version.
func (m *Memory) TakeRecords(_ context.Context, mapID string, version, records int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !event.IsID(mapID) {
		return parkourmap.ErrNoID
	}
	if m.counted[mapID] < version {
		m.records[mapID], m.counted[mapID] = records, version
	}
	return nil
}
