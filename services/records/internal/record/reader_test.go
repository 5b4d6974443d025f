package record_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

// queries answers with a list.
type queries struct {
	leaderboard.Queries
	copies  *copies
	list    leaderboard.RankedList
	one     leaderboard.Details
	deepest int // offset
}

func (q *queries) Leaderboard(ctx context.Context, l leaderboard.Leaderboard) (leaderboard.RankedList, error) {
	m, err := q.copies.Map(ctx, l.MapID)
	if err == nil && m.Removed {
		err = record.ErrMapRemoved
	}
	return q.list, err
}

func (q *queries) List(_ context.Context, l leaderboard.List) (leaderboard.RankedList, error) {
	q.deepest = max(q.deepest, l.Offset)
	list := q.list
	list.Records = append(list.Records[:0:0], list.Records...)
	return list, nil
}

func (q *queries) Details(context.Context, string) (leaderboard.Details, error) { return q.one, nil }

func (b *bundle) reader() (*leaderboard.Reader, *queries) {
	q := &queries{copies: b.copies}
	return &leaderboard.Reader{Queries: q, Maps: b.Maps, Players: b.Players}, q
}

var firstPage = leaderboard.Page{Limit: 10}

func TestReader_Leaderboard(t *testing.T) {
	t.Parallel()
	b := setup()
	reader, _ := b.reader()
	b.owners.maps[noID] = recordtest.Copy(noID, recordtest.Map(3_001, "Fresh", 500))
	b.copies.maps[gardenID] = record.Map{ID: gardenID, Version: 2, Removed: true}
	for _, tt := range []struct {
		name        string
		id          string
		unavailable bool
		asked       int
		want        error
	}{
		{"a map that is known", skylineID, false, 0, nil},
		{"a removed map", gardenID, false, 0, record.ErrMapRemoved},
		{"an unknown map", annID, false, 1, record.ErrMapUnknown},
		{"what is no id", "skyline", false, 0, record.ErrMapUnknown},
		{"what could be SQL", "' or true; --", false, 0, record.ErrMapUnknown},
		{"a new map while its owner is away", noID, true, 1, errAway},
		{"a new map", noID, false, 1, nil},
		{"a map that is known by now", noID, false, 0, nil},
	} {
		b.owners.asked, b.owners.unavailable = 0, tt.unavailable
		_, err := reader.Leaderboard(t.Context(), leaderboard.Leaderboard{MapID: tt.id, Page: firstPage})
		if !errors.Is(err, tt.want) || b.owners.asked != tt.asked {
			t.Errorf("%s: %v after %d questions, want %v after %d", tt.name, err, b.owners.asked, tt.want, tt.asked)
		}
	}
}

// What the requests of other services say is checked before it is looked for.
func TestAnswers_invalid(t *testing.T) {
	t.Parallel()
	b := setup()
	answers := leaderboard.Answers{Maps: b.Maps, Players: b.Players}
	b.copies.maps[gardenID] = record.Map{ID: gardenID, Version: 2, Removed: true}
	passed := func(record string, players ...string) error {
		_, err := answers.FindPassed(t.Context(), event.FindPassed{RecordID: record, PlayerIDs: players})
		return err
	}
	players := func(mapID, after string) error {
		_, err := answers.ListPlayers(t.Context(), event.ListPlayers{MapID: mapID, After: after})
		return err
	}
	_, inspected := answers.Inspect(t.Context(), event.InspectRecord{RecordID: "r1"})
	_, verified := (&leaderboard.EvidenceReader{}).Find(t.Context(), "r1")
	for name, tt := range map[string]struct{ got, want error }{
		"passed by what is no record":  {passed("r1", annID), record.ErrRecordUnknown},
		"passed players without an id": {passed(noID, annID, "bob"), leaderboard.ErrPlayersInvalid},
		"too many passed players": {
			passed(noID, slices.Repeat([]string{annID}, event.MaxRequestedPlayers+1)...), leaderboard.ErrPlayersInvalid,
		},
		"the players of what is no map":   {players("m1", ""), record.ErrMapUnknown},
		"the players of a removed map":    {players(gardenID, ""), record.ErrMapRemoved},
		"the players after what is no id": {players(skylineID, "Ann"), leaderboard.ErrPlayersInvalid},
		"what is no record":               {inspected, record.ErrRecordUnknown},
		"the checks of what is no record": {verified, record.ErrRecordUnknown},
	} {
		if !errors.Is(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
}

func TestReader_invalid_ids(t *testing.T) {
	t.Parallel()
	reader, q := setup().reader()
	q.list = leaderboard.RankedList{Total: 1, Records: make([]record.RankedRecord, 1)}
	for _, id := range []string{"", "1", "submit", "01970000-0000-7000-8000-00000000000g",
		"{01970000-0000-7000-8000-000000000001}", "\x00"} {
		if _, err := reader.Details(t.Context(), id); !errors.Is(err, record.ErrRecordUnknown) {
			t.Errorf("Details(%q): %v", id, err)
		}
	}
	page, err := reader.List(t.Context(), leaderboard.List{PlayerID: "nobody", Sort: leaderboard.Newest, Page: firstPage})
	if err != nil || page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("records of no player: %+v, %v", page, err)
	}
	page, err = reader.Leaderboard(t.Context(),
		leaderboard.Leaderboard{MapID: skylineID, PlayerID: "nobody", Page: firstPage})
	if err != nil || page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("row of no player: %+v, %v", page, err)
	}
}

func TestReader_List_max_offset(t *testing.T) {
	t.Parallel()
	const total = 2_000_000
	for _, tt := range []struct {
		name   string
		player string
		offset int
		want   error
	}{
		{"the first page", "", 0, nil},
		{"the deepest", "", 10_000, nil},
		{"one below", "", 10_001, leaderboard.ErrPageTooDeep},
		{"the last row", "", total - 1, leaderboard.ErrPageTooDeep},
		{"past the end", "", total, nil},
		{"a player's own, however deep", annID, 10_001, nil},
	} {
		reader, q := setup().reader()
		q.list.Total = total
		page, err := reader.List(t.Context(), leaderboard.List{PlayerID: tt.player, Sort: leaderboard.Newest,
			Page: leaderboard.Page{Offset: tt.offset, Limit: 10}})
		if !errors.Is(err, tt.want) || err == nil && (page.Total != total || len(page.Records) != 0) {
			t.Errorf("%s: %+v, %v, want %v", tt.name, page, err, tt.want)
		}
		if tt.want != nil && problem.From(err).Data["use"] != "after" {
			t.Errorf("%s: %v does not say what to use", tt.name, err)
		}
		if tt.player == "" && q.deepest > 10_000 {
			t.Errorf("%s: %d rows were passed over", tt.name, q.deepest)
		}
	}
}
