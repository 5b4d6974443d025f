package player

import (
	"context"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/playername"
)

// Sort is a field by which players are sorted.
type Sort string

// The sorts. Names are sorted without regard to case or accents, equal players by their ids.
const (
	ByName    Sort = "name"
	ByLevel   Sort = "level"
	ByCreated Sort = "createdAt"
	ByUpdated Sort = "updatedAt"
)

// Query is a search for players.
type Query struct {
	// Name is any part of the name, without regard to case or accents. Empty finds all players.
	Name          string
	Sort          Sort
	Descending    bool
	Limit, Offset int
}

// ReadSort reads a sort and its direction, "asc" or "desc". The default is by name; by default
// names ascend and the others descend. It returns ErrSortUnknown.
func ReadSort(by, dir string) (sort Sort, descending bool, err error) {
	sort = Sort(by)
	switch sort {
	case "":
		sort = ByName
	case ByName, ByLevel, ByCreated, ByUpdated:
	default:
		return "", false, ErrSortUnknown.WithField("sortBy", ErrSortUnknown.Message)
	}
	switch dir {
	case "":
		return sort, sort != ByName, nil
	case "asc":
		return sort, false, nil
	case "desc":
		return sort, true, nil
	}
	return "", false, ErrSortUnknown.WithField("sortDir", ErrSortUnknown.Message)
}

// Searcher finds registered players.
type Searcher interface {
	// Search returns one page of the registered players whose names contain the query's name, and
	// the number of all of them.
	Search(ctx context.Context, q Query) (page []Profile, total int64, err error)
}

// Directory lists players.
type Directory struct {
	Searcher Searcher
}

// Search returns a page and the exact number of all players found, or ErrTermTooLong.
func (d *Directory) Search(ctx context.Context, q Query) ([]Profile, int64, error) {
	if utf8.RuneCountInString(q.Name) > playername.MaxLength {
		return nil, 0, ErrTermTooLong.WithField("name", ErrTermTooLong.Message)
	}
	return d.Searcher.Search(ctx, q)
}

// Profile is the public data of a player with totals, as in lists.
type Profile struct {
	ID    string
	Name  string
	Level int
	// Avatar is the key of the avatar image in object storage, or empty.
	Avatar string
	// SkinColor is the base colour of the game skin as #rrggbb, empty when unknown.
	SkinColor  string
	Roles      []string
	Registered bool
	CreatedAt  time.Time
	UpdatedAt  time.Time
	// Maps is the number of maps of which the player is the author.
	Maps int64
	// Records is the number of the player's records that were not removed.
	Records int64
}

// AvatarURL returns the path of the avatar image, or "". See Player.AvatarURL.
func (p Profile) AvatarURL() string { return avatarURL(p.Avatar) }

// Profiles reads profiles, also of placeholders.
type Profiles interface {
	// GetProfile returns a profile, for a merged player that of the player merged into. It returns
	// ErrUnknown, also for an invalid id.
	GetProfile(ctx context.Context, id string) (Profile, error)
}
