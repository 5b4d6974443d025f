package record

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/replica"
	"capzone.dev/platform/sharecard"
)

// Queries reads records. In the records it returns, a map or a player without a copy has
// only its id.
type Queries interface {
	// Leaderboard returns a page of a leaderboard with its ranks. It returns ErrMapUnknown if there is no copy of
	// the map, and ErrMapRemoved.
	Leaderboard(ctx context.Context, q Leaderboard) (RankedList, error)
	// FollowedLeaderboard returns a page of the rows of players on a leaderboard. Ranks are those of the whole
	// leaderboard, gaps those between the rows of the players. Its errors are those of Leaderboard.
	FollowedLeaderboard(ctx context.Context, q FollowedLeaderboard) (RankedList, error)
	// List returns a page of the active records.
	List(ctx context.Context, q List) (RankedList, error)
	// Details returns an active record with what it is compared with, or ErrRecordUnknown.
	Details(ctx context.Context, id string) (Details, error)
	// Verification returns the stored checks of an active record's replay, or ErrRecordUnknown.
	Verification(ctx context.Context, id string) (Verification, error)
	// WorldRecords returns the world records of a map in the order of their acceptance, of more than
	// MaxWorldRecords the newest.
	WorldRecords(ctx context.Context, mapID string) ([]WorldRecord, error)
	// NewestWorldRecords returns at most limit world records of all maps, newest first.
	NewestWorldRecords(ctx context.Context, limit int) ([]ListedWorldRecord, error)
	// CommonMaps returns the maps on which two players have personal bests, with the id, the name and the mode of each.
	CommonMaps(ctx context.Context, firstID, secondID string) ([]CommonMap, error)
	// Progress returns where a player stands on maps, in the order of the ids, without removed and unknown maps.
	Progress(ctx context.Context, playerID string, mapIDs []string) ([]Progress, error)
	// PlayerRecords returns what the statistics of a player at a time are made from, with the records by month that
	// were accepted since another time.
	PlayerRecords(ctx context.Context, playerID string, since, now time.Time) (PlayerRecords, error)
	// ImprovedMaps returns a page of the maps on which a player has improved, newest personal best first.
	ImprovedMaps(ctx context.Context, playerID string, page Page) (ImprovedMaps, error)
	// Improvements returns the improvements of a player on a map in the order of acceptance, of more than
	// MaxImprovements the newest.
	Improvements(ctx context.Context, playerID, mapID string) ([]Improvement, error)
	// PlayedMaps returns the ids of maps on which a player has a personal best, also of removed ones, in their order. Of
	// more than limit it returns any.
	PlayedMaps(ctx context.Context, playerID string, limit int) (event.IDs, error)
	// Played returns where a player stands on the maps on which the player has a personal best, without removed ones:
	// Progress with MapID, Medals, FinishTime and Rank. Of more than limit it returns any.
	Played(ctx context.Context, playerID string, ranks Ranks, limit int) ([]Progress, error)
	// PassedPlayers returns which of the players an active record has passed, as event.PassedPlayers, or
	// ErrRecordUnknown.
	PassedPlayers(ctx context.Context, recordID string, playerIDs []string) ([]event.MovedPlayer, error)
	// Inspect returns a record, removed or not, as event.InspectedRecord, or ErrRecordUnknown.
	Inspect(ctx context.Context, recordID string) (event.InspectedRecord, error)
	// MapPlayers returns at most limit players with a personal best on a map, in the order of their ids, that come after
	// an id.
	MapPlayers(ctx context.Context, mapID, after string, limit int) ([]string, error)
}

// Reader answers queries.
type Reader struct {
	Queries Queries
	Maps    *Maps
	Players Players
	Follows Follows
	Now     func() time.Time
}

// unknownName is shown for a map or a player that has no copy and whose owner does not
// know it or does not answer.
const unknownName = "Unknown"

// names completes maps and players without a copy. It asks the owner for each of them once.
type names struct {
	maps    *replica.Page[Map]
	players *replica.Page[Player]
}

func newNames(maps *Maps, players Players) names {
	return names{
		maps:    replica.NewPage(maps.Get, func(id string) Map { return Map{ID: id, Name: unknownName} }),
		players: replica.NewPage(players.Get, func(id string) Player { return Player{ID: id, Name: unknownName} }),
	}
}

func (r *Reader) newNames() names { return newNames(r.Maps, r.Players) }

func (n names) fill(ctx context.Context, r *RankedRecord) {
	if r.Map.Name == "" {
		r.Map = n.maps.Get(ctx, r.MapID)
	}
	r.Player = n.player(ctx, r.Player)
}

func (n names) player(ctx context.Context, p Player) Player {
	if p.Name != "" {
		return p
	}
	return n.players.Get(ctx, p.ID)
}

// fillNames completes the records whose map or player has no copy.
func (r *Reader) fillNames(ctx context.Context, records []RankedRecord) {
	names := r.newNames()
	for i := range records {
		names.fill(ctx, &records[i])
	}
}

// Leaderboard asks for a page of a map's leaderboard.
type Leaderboard struct {
	MapID string
	// PlayerID asks for the row of one player, wherever it is, and for Neighbours rows on each side of it, instead of
	// a Page. Empty for all.
	PlayerID   string
	Neighbours int
	// After asks for the rows after a position instead of an offset, unless it is nil.
	After *Position
	Page
}

// Neighbours is how many rows are shown above and below a player's own.
const Neighbours = 5

// Leaderboard returns a page of a map's leaderboard, which is empty past the end. It
// returns ErrMapUnknown or ErrMapRemoved, or a problem of kind unavailable if the map is
// not known here and its owner does not answer.
func (r *Reader) Leaderboard(ctx context.Context, q Leaderboard) (RankedList, error) {
	if !event.IsID(q.MapID) {
		return RankedList{}, ErrMapUnknown
	}
	if isInvalidID(q.PlayerID) {
		_, err := r.Maps.Get(ctx, q.MapID)
		return RankedList{}, err
	}
	q.PlayerID = strings.ToLower(q.PlayerID) // as rows have it
	if q.Neighbours > 0 {
		// The id in a token may be that of a player who was merged since.
		if player, err := r.Players.Get(ctx, q.PlayerID); err == nil {
			q.PlayerID = player.ID
		}
	}
	list, err := r.Queries.Leaderboard(ctx, q)
	if errors.Is(err, ErrMapUnknown) {
		if _, err := r.Maps.Get(ctx, q.MapID); err != nil {
			return RankedList{}, err
		}
		list, err = r.Queries.Leaderboard(ctx, q)
	}
	if err != nil {
		return RankedList{}, err
	}
	r.fillNames(ctx, list.Records)
	return list, nil
}

// isInvalidID reports whether a filter is set to what is not an id, and so matches nothing.
func isInvalidID(id string) bool { return id != "" && !event.IsID(id) }

// List asks for a page of all records.
type List struct {
	// PlayerID asks for the records of one player. Empty for all.
	PlayerID string
	Sort     Sort
	// After asks for the records after a position instead of an offset, unless it is nil.
	After *Position
	Page
}

// maxOffset is the deepest offset of the list of all players' records. The database
// skips the rows before a page one by one.
const maxOffset = 10_000

// List returns a page of the active records, which is empty past the end. It returns
// ErrPageTooDeep for a page of all players' records beyond maxOffset.
func (r *Reader) List(ctx context.Context, q List) (RankedList, error) {
	if isInvalidID(q.PlayerID) {
		return RankedList{}, nil
	}
	if q.PlayerID == "" && q.Offset > maxOffset {
		return r.beyondMaxOffset(ctx, q)
	}
	list, err := r.Queries.List(ctx, q)
	if err != nil {
		return RankedList{}, err
	}
	r.fillNames(ctx, list.Records)
	return list, nil
}

// beyondMaxOffset returns ErrPageTooDeep for a page that exists, and nothing past the end.
func (r *Reader) beyondMaxOffset(ctx context.Context, q List) (RankedList, error) {
	first, err := r.Queries.List(ctx, List{Sort: q.Sort, Page: Page{Limit: 1}})
	if err != nil {
		return RankedList{}, err
	}
	if int64(q.Offset) < first.Total {
		return RankedList{}, ErrPageTooDeep.
			WithField("offset", "must be from 0 to "+strconv.Itoa(maxOffset)).WithData("use", "after")
	}
	return RankedList{Total: first.Total}, nil
}

// Sort is an order of records.
type Sort struct {
	By         SortBy
	Descending bool
}

// SortBy is what records are sorted by. Records that are equal in it are ordered by id.
type SortBy string

// What records can be sorted by. The time of the last update is that of the creation,
// because an accepted record never changes.
const (
	ByUpdated SortBy = "updatedAt"
	ByTime    SortBy = "finishTime,finishTimeStamp"
)

// Newest is the default order.
var Newest = Sort{By: ByUpdated, Descending: true}

// ParseSort parses the order of all records as the API writes it, comma-joined for two
// fields. Empty is the default. It returns ErrSortUnknown.
func ParseSort(by, dir string) (Sort, error) {
	switch SortBy(by) {
	case "", ByUpdated:
		descending, err := parseDirection(dir, "desc", "asc", "desc")
		return Sort{ByUpdated, descending}, err
	case ByTime:
		descending, err := parseDirection(dir, "asc,asc", "asc,asc", "desc,desc")
		return Sort{ByTime, descending}, err
	default:
		return Sort{}, ErrSortUnknown.WithField("sortBy", "must be updatedAt or finishTime,finishTimeStamp")
	}
}

// CheckLeaderboardSort returns ErrSortUnknown for anything but the one order of
// leaderboards.
func CheckLeaderboardSort(by, dir string) error {
	if by != "" && SortBy(by) != ByTime {
		return ErrSortUnknown.WithField("sortBy", "must be finishTime,finishTimeStamp for a map")
	}
	if dir != "" && dir != "asc,asc" {
		return ErrSortUnknown.WithField("sortDir", "must be asc,asc for a map")
	}
	return nil
}

func parseDirection(dir, byDefault, ascending, descending string) (isDescending bool, err error) {
	if dir == "" {
		dir = byDefault
	}
	switch dir {
	case ascending:
		return false, nil
	case descending:
		return true, nil
	default:
		return false, ErrSortUnknown.WithField("sortDir", "must be "+ascending+" or "+descending)
	}
}

// Stats are the totals of the whole site.
type Stats struct {
	// Maps counts the maps that are not removed, Players the registered ones, and
	// Records the active ones.
	Maps, Players, Records int64
}

// StatsQuery reads the totals of the whole site.
type StatsQuery interface {
	Stats(ctx context.Context) (Stats, error)
}

// Details is an active record with what it is compared with. Of the map, it also has the version and the picture.
type Details struct {
	RankedRecord
	// RankAtSubmission is the rank that the record had when it was accepted, counted from 1. It is 0 for a record
	// that was no personal best then.
	RankAtSubmission int64
	// PreviousBest and PreviousWorldRecord are the best finish times, in milliseconds, of the player on the map and
	// of the map, among the active records that were accepted before this one. They are 0 where there are none.
	PreviousBest, PreviousWorldRecord int
	// WorldRecord is the map's world record now.
	WorldRecord WorldRecord
	// Above is the row directly above on the leaderboard. Its ID is empty for the first row, and for a record that is no
	// personal best.
	Above RowAbove
}

// RowAbove is the row of a leaderboard that is directly above another one.
type RowAbove struct {
	// ID is the record's.
	ID         string
	Player     Player
	FinishTime int
}

// Details returns an active record with what it is compared with. It returns ErrRecordUnknown.
func (r *Reader) Details(ctx context.Context, id string) (Details, error) {
	if !event.IsID(id) {
		return Details{}, ErrRecordUnknown
	}
	details, err := r.Queries.Details(ctx, id)
	if err != nil {
		return Details{}, err
	}
	names := r.newNames()
	names.fill(ctx, &details.RankedRecord)
	details.WorldRecord.Player = names.player(ctx, details.WorldRecord.Player)
	if details.Above.ID != "" {
		details.Above.Player = names.player(ctx, details.Above.Player)
	}
	return details, nil
}

// Preview returns what the picture for a link to the record shows.
func (d Details) Preview() sharecard.Record {
	card := sharecard.Record{
		Kind: "Record", World: d.ID == d.WorldRecord.ID, Player: ball(d.Player), Map: d.Map.Name,
		Time: racetime.Format(d.FinishTime), Medal: string(d.Medal()),
		Picture: sharecard.StoredPicture(d.Map.Picture),
	}
	switch {
	case card.World:
		card.Kind = "World record"
	case d.PersonalBest:
		card.Kind = "Personal best"
	}
	var earned []string
	if d.Rank > 0 {
		earned = append(earned, fmt.Sprintf("Rank %d", d.Rank))
	}
	if medal := d.Medal(); medal != racetime.NoMedal {
		earned = append(earned, medal.Title())
	}
	card.Earned = strings.Join(earned, " · ")
	return card
}
