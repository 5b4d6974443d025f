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

// ProfileList is a page of profiles.
type ProfileList struct {
	Profiles []Profile
	// Total is the number of all players found.
	Total int64
}

// IDPageSize is the number of ids on a page of the list of all players.
const IDPageSize = 10_000

// IDList is a page of the list of all registered players.
type IDList struct {
	Players []ListedID
	// Total is the number of all registered players.
	Total int64
}

// ListedID is a registered player in the list of all players.
type ListedID struct {
	ID        string
	UpdatedAt time.Time
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

// ReadStore reads players.
type ReadStore interface {
	// GetProfile returns a profile, also of a placeholder, for a merged player that of the player merged into. It
	// returns ErrUnknown, also for an invalid id.
	GetProfile(ctx context.Context, id string) (Profile, error)
	// Search returns a page of the registered players whose names contain the search's name.
	Search(ctx context.Context, wanted Search) (ProfileList, error)
	// ListIDs returns a page of the registered players in the order of their ids.
	ListIDs(ctx context.Context, limit, offset int) (IDList, error)
	// Get is as in ModerationStore.
	Get(ctx context.Context, id string) (Player, error)
	// GetByName is as in PlayersByName.
	GetByName(ctx context.Context, name string) (Player, error)
}

// Reader reads players.
type Reader struct {
	Players ReadStore
}

// Get returns a profile. It returns ErrUnknown.
func (r *Reader) Get(ctx context.Context, id string) (Profile, error) {
	return r.Players.GetProfile(ctx, id)
}

// Search returns a page of profiles. It returns ErrTermTooLong.
func (r *Reader) Search(ctx context.Context, wanted Search) (ProfileList, error) {
	if utf8.RuneCountInString(wanted.Name) > playername.MaxLength {
		return ProfileList{}, ErrTermTooLong.About("name")
	}
	return r.Players.Search(ctx, wanted)
}

// IDs returns a page of the list of all registered players, from 1.
func (r *Reader) IDs(ctx context.Context, number int) (IDList, error) {
	return r.Players.ListIDs(ctx, IDPageSize, (number-1)*IDPageSize)
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

// PointsQuery asks the records service for the points of a player. It returns a problem of kind unavailable where
// that does not answer.
type PointsQuery func(ctx context.Context, playerID string) (event.PlayerPoints, error)

// Previewer makes pictures for links to players.
type Previewer struct {
	Reader *Reader
	Points PointsQuery
}

// Preview returns a player with what the picture for a link shows. The points are left out while they cannot be read,
// because the picture is of use without them. Its errors are those of Reader.Get.
func (p *Previewer) Preview(ctx context.Context, id string) (Profile, sharecard.Player, error) {
	profile, err := p.Reader.Get(ctx, id)
	if err != nil {
		return Profile{}, sharecard.Player{}, err
	}
	points, err := p.Points(ctx, profile.ID)
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
