package player

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/sharecard"
)

// SortBy is a field by which players are sorted.
type SortBy string

// The fields. Names are sorted without regard to case or accents, equal players by their ids.
const (
	ByName    SortBy = "name"
	ByLevel   SortBy = "level"
	ByCreated SortBy = "createdAt"
	ByUpdated SortBy = "updatedAt"
)

// Sort is the order of a list.
type Sort struct {
	By         SortBy
	Descending bool
}

// ParseSort reads a field and its direction, "asc" or "desc". The default is by name; by default
// names ascend and the others descend. It returns ErrSortUnknown.
func ParseSort(by, direction string) (Sort, error) {
	sort := Sort{By: SortBy(by), Descending: direction == "desc"}
	switch sort.By {
	case "":
		sort.By = ByName
	case ByName, ByLevel, ByCreated, ByUpdated:
	default:
		return Sort{}, ErrSortUnknown.About("sortBy")
	}
	switch direction {
	case "":
		sort.Descending = sort.By != ByName
	case "asc", "desc":
	default:
		return Sort{}, ErrSortUnknown.About("sortDir")
	}
	return sort, nil
}

// Search asks for a page of the players whose names match.
type Search struct {
	// Name is any part of the name, without regard to case or accents. Empty finds all players.
	Name          string
	Sort          Sort
	Limit, Offset int
}

// IDPageSize is the number of ids on a page of the list of all players.
const IDPageSize = 10_000

// ListedID is a registered player in the list of all players.
type ListedID struct {
	ID        string
	UpdatedAt time.Time
}

// Profile is what a profile shows of a player, with totals, as in lists.
type Profile struct {
	Player
	// Maps is the number of maps of which the player is the author.
	Maps int64
	// Records is the number of the player's records that were not removed.
	Records int64
}

// Queries reads players.
type Queries interface {
	// GetProfile returns a profile, also of a placeholder, for a merged player that of the player merged into. It
	// returns ErrUnknown.
	GetProfile(ctx context.Context, id string) (Profile, error)
	// Search returns a page of the registered players whose names contain the search's name, and the number of all of
	// them.
	Search(ctx context.Context, wanted Search) ([]Profile, int64, error)
	// ListIDs returns a page of the registered players in the order of their ids, and the number of all.
	ListIDs(ctx context.Context, limit, offset int) ([]ListedID, int64, error)
	reader
	// GetByName is as in RegistrationStore.
	GetByName(ctx context.Context, name string) (Player, error)
	// HasAdmin reports whether there is an admin who is not banned.
	HasAdmin(ctx context.Context) (bool, error)
}

// Points asks the records service for the points of players.
type Points interface {
	// FindPoints returns a problem of kind unavailable where the service does not answer.
	FindPoints(ctx context.Context, playerID string) (event.PlayerPoints, error)
}

// Reader reads players. Points are needed for Preview alone.
type Reader struct {
	Players Queries
	Points  Points
}

// GetPlayer answers event.GetPlayerSubject, also of a player who was merged.
func (r *Reader) GetPlayer(ctx context.Context, req event.GetPlayer) (event.PlayerState, error) {
	if !event.IsID(req.ID) {
		return event.PlayerState{}, ErrUnknown
	}
	p, err := r.Players.Get(ctx, req.ID)
	return p.State(), err
}

// GetProfile returns a profile, as Queries does. It returns ErrUnknown, also for what is no id.
func (r *Reader) GetProfile(ctx context.Context, id string) (Profile, error) {
	if !event.IsID(id) {
		return Profile{}, ErrUnknown
	}
	return r.Players.GetProfile(ctx, id)
}

// HasAdmin reports whether there is an admin who is not banned.
func (r *Reader) HasAdmin(ctx context.Context) (bool, error) { return r.Players.HasAdmin(ctx) }

// ListIDs returns a page of the registered players in the order of their ids, and the number of all.
func (r *Reader) ListIDs(ctx context.Context, limit, offset int) ([]ListedID, int64, error) {
	return r.Players.ListIDs(ctx, limit, offset)
}

// Search returns a page of profiles, and the number of all that are found. It returns ErrTermTooLong.
func (r *Reader) Search(ctx context.Context, wanted Search) ([]Profile, int64, error) {
	if utf8.RuneCountInString(wanted.Name) > playername.MaxLength {
		return nil, 0, ErrTermTooLong.About("name")
	}
	return r.Players.Search(ctx, wanted)
}

// Find returns the player who has or had a name, or has an id, as players who were deleted are found. It returns
// ErrUnknown for a name that no player has or had, and playername.ErrInvalid for one that no account can have.
func (r *Reader) Find(ctx context.Context, name string) (Player, error) {
	if event.IsID(name) { // which no name is
		return r.Players.Get(ctx, name)
	}
	p, err := r.Players.GetByName(ctx, name)
	if errors.Is(err, ErrUnknown) {
		if err := playername.Check(name); err != nil {
			return Player{}, err
		}
		return Player{}, ErrUnknown.WithMessage("player_name_unknown",
			`There is no player "{name}". Players are known from their first login or their first map on.`).
			WithData("name", name)
	}
	return p, err
}

// FindCurrent returns the player who has a name now. It returns the errors of Find, and ErrMerged for a former name.
func (r *Reader) FindCurrent(ctx context.Context, name string) (Player, error) {
	p, err := r.Find(ctx, name)
	if err == nil && !event.IsID(name) && !playername.Same(p.Name, name) {
		return Player{}, ErrMerged.WithMessage("merged_into", "{name} was merged into {into} before.").
			WithData("name", name).WithData("into", p.Name)
	}
	return p, err
}

// Preview returns a player with what the picture for a link shows. The points are left out while they cannot be read,
// because the picture is of use without them. It returns ErrUnknown.
func (r *Reader) Preview(ctx context.Context, id string) (Profile, sharecard.Player, error) {
	profile, err := r.GetProfile(ctx, id)
	if err != nil {
		return Profile{}, sharecard.Player{}, err
	}
	points, err := r.Points.FindPoints(ctx, profile.ID)
	if err != nil {
		points = event.PlayerPoints{}
	}
	return profile, profile.Preview(points), nil
}

// Preview returns what the picture for a link to the player shows: the avatar, or a ball in the colour of the skin, and
// the points of a player who is ranked.
func (p Profile) Preview(points event.PlayerPoints) sharecard.Player {
	title := []string{}
	if p.Registered {
		title = append(title, fmt.Sprintf("Level %d", p.Level))
	}
	card := sharecard.Player{
		Ball: sharecard.Ball{Name: p.Name, Color: p.SkinColor}, Title: strings.Join(append(title, p.Roles...), " · "),
		Avatar: sharecard.StoredPicture{Key: p.Avatar},
	}
	if points.Rank > 0 {
		card.Numbers = []sharecard.Number{
			{Value: strconv.FormatInt(points.Rank, 10), Noun: "rank"},
			{Value: fmt.Sprintf("%d.%d", points.Tenths/10, points.Tenths%10), Noun: "points"},
		}
	}
	card.Numbers = append(card.Numbers, number(p.Records, "record"), number(p.Maps, "map"))
	return card
}

// number returns a number with its noun.
func number(n int64, noun string) sharecard.Number {
	if n != 1 {
		noun += "s"
	}
	return sharecard.Number{Value: strconv.FormatInt(n, 10), Noun: noun}
}
