package record

import (
	"context"
	"errors"
	"strconv"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// DefaultPageSize is how many rows a page has where nobody says otherwise.
const DefaultPageSize = 10

// Window is the part of a list that is asked for.
type Window struct{ Offset, Limit int }

// Leaderboard asks for a part of a map's leaderboard.
type Leaderboard struct {
	MapID string
	// PlayerID asks for the row of one player alone, wherever it is. Empty for all.
	PlayerID string
	Window
}

// List asks for a part of all runs.
type List struct {
	// PlayerID asks for the runs of one player. Empty for all.
	PlayerID string
	Sort     Sort
	Window
}

// Page is a part of a list.
type Page struct {
	Entries []Entry
	// Total counts the whole list.
	Total int64
}

// Catalogue is where runs are found. Of maps and players whose copies have not
// arrived, its entries have nothing but the id.
type Catalogue interface {
	// Leaderboard returns a part of a leaderboard, its rows ranked. Returns
	// ErrMapUnknown where no copy of the map has arrived, and ErrMapRemoved.
	Leaderboard(ctx context.Context, q Leaderboard) (Page, error)
	// List returns a part of the runs that stand.
	List(ctx context.Context, q List) (Page, error)
	// Entry returns a run that stands, ranked when it is a personal best, or ErrRecordUnknown.
	Entry(ctx context.Context, id string) (Entry, error)
}

// Reader answers who browses.
type Reader struct {
	Catalogue Catalogue
	Maps      *Maps
	Players   *Players
}

// Leaderboard returns the asked part of a map's leaderboard; past the end there
// is nothing. Returns ErrMapUnknown or ErrMapRemoved, or a problem of kind
// unavailable where the map is not known here and its owner cannot be asked.
func (r *Reader) Leaderboard(ctx context.Context, q Leaderboard) (Page, error) {
	if !event.IsID(q.MapID) {
		return Page{}, ErrMapUnknown
	}
	if nobody(q.PlayerID) {
		_, err := r.Maps.ByID(ctx, q.MapID)
		return Page{}, err
	}
	page, err := r.Catalogue.Leaderboard(ctx, q)
	if errors.Is(err, ErrMapUnknown) {
		if _, err := r.Maps.fetch(ctx, q.MapID); err != nil {
			return Page{}, err
		}
		page, err = r.Catalogue.Leaderboard(ctx, q)
	}
	if err != nil {
		return Page{}, err
	}
	r.name(ctx, page.Entries)
	return page, nil
}

// deepestOffset is how far down all runs can be read. What lies before a page of
// theirs is passed over row by row: nobody leafs through thousands of pages, and
// nobody shall make the database do so.
const deepestOffset = 10_000

// List returns the asked part of all runs that stand; past the end there is nothing.
// Returns ErrPageTooDeep for a part of everybody's runs beyond deepestOffset.
func (r *Reader) List(ctx context.Context, q List) (Page, error) {
	if nobody(q.PlayerID) {
		return Page{}, nil
	}
	if q.PlayerID == "" && q.Offset > deepestOffset {
		return r.tooDeep(ctx, q)
	}
	page, err := r.Catalogue.List(ctx, q)
	if err != nil {
		return Page{}, err
	}
	r.name(ctx, page.Entries)
	return page, nil
}

// tooDeep refuses a part that is there, and returns nothing of one past the end.
func (r *Reader) tooDeep(ctx context.Context, q List) (Page, error) {
	top, err := r.Catalogue.List(ctx, List{Sort: q.Sort, Window: Window{Limit: 1}})
	if err != nil {
		return Page{}, err
	}
	if int64(q.Offset) < top.Total {
		return Page{}, ErrPageTooDeep.WithField("offset", "must be from 0 to "+strconv.Itoa(deepestOffset))
	}
	return Page{Total: top.Total}, nil
}

// nobody tells whether a player is asked for by what is no id.
func nobody(playerID string) bool { return playerID != "" && !event.IsID(playerID) }

// Get returns a run that stands, with its rank when it is a personal best.
// Returns ErrRecordUnknown.
func (r *Reader) Get(ctx context.Context, id string) (Entry, error) {
	if !event.IsID(id) {
		return Entry{}, ErrRecordUnknown
	}
	entry, err := r.Catalogue.Entry(ctx, id)
	if err != nil {
		return Entry{}, err
	}
	entries := []Entry{entry}
	r.name(ctx, entries)
	return entries[0], nil
}

// unknownName stands in for who and what has no copy here and cannot be asked for.
const unknownName = "Unknown"

// name completes the entries whose maps' or players' copies have not arrived. A
// page does not fail for that, each is asked for once, and nobody is asked any
// further once an owner is away.
func (r *Reader) name(ctx context.Context, entries []Entry) {
	maps, players := map[string]Map{}, map[string]Player{}
	away := false
	ask := func(fetch func() error) {
		if !away {
			err := fetch()
			away = err != nil && problem.From(err).Kind != problem.KindNotFound
		}
	}
	for i := range entries {
		e := &entries[i]
		if e.Map.Name == "" {
			found, asked := maps[e.MapID]
			if !asked {
				ask(func() (err error) { found, err = r.Maps.ByID(ctx, e.MapID); return err })
				if found.Name == "" {
					found = Map{ID: e.MapID, Name: unknownName}
				}
				maps[e.MapID] = found
			}
			e.Map = found
		}
		if e.Player.Name == "" {
			found, asked := players[e.PlayerID]
			if !asked {
				ask(func() (err error) { found, err = r.Players.ByID(ctx, e.PlayerID); return err })
				if found.Name == "" {
					found = Player{ID: e.PlayerID, Name: unknownName}
				}
				players[e.PlayerID] = found
			}
			e.Player = found
		}
	}
}
