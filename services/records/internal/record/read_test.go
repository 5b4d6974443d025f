package record_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

func readerOf(b *bundle) *record.Reader {
	return &record.Reader{Queries: b.store, Maps: b.Maps, Players: b.Players, Now: time.Now}
}

var firstPage = record.Page{Limit: 10}

func TestReader_Leaderboard_newMap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reader := readerOf(b)
	freshID := "01970000-0000-7000-8000-00000000000c"
	for _, tt := range []struct {
		name        string
		id          string
		unavailable bool
		asked       int
		want        error
	}{
		{"a map that is known", skylineID, false, 0, nil},
		{"an unknown map", freshID, false, 1, record.ErrMapUnknown},
		{"what is no id", "skyline", false, 0, record.ErrMapUnknown},
		{"what could be SQL", "' or true; --", false, 0, record.ErrMapUnknown},
		{"a new map while its owner is away", freshID, true, 1, errAway},
	} {
		b.owners.asked, b.owners.unavailable = 0, tt.unavailable
		_, err := reader.Leaderboard(t.Context(), record.Leaderboard{MapID: tt.id, Page: firstPage})
		if !errors.Is(err, tt.want) || b.owners.asked != tt.asked {
			t.Errorf("%s: %v after %d questions, want %v after %d", tt.name, err, b.owners.asked, tt.want, tt.asked)
		}
	}
	b.owners.unavailable = false
	b.owners.maps[freshID] = recordtest.Copy(freshID, recordtest.Map(3_001, "Fresh", 500))
	for range 2 {
		b.owners.asked = 0
		page, err := reader.Leaderboard(t.Context(), record.Leaderboard{MapID: freshID, Page: firstPage})
		if err != nil || len(page.Records) != 0 {
			t.Errorf("a new map: %+v, %v", page, err)
		}
	}
	if b.owners.asked != 0 {
		t.Error("the owner was asked for a map that is known by now")
	}
}

func TestReader_Leaderboard_removedMap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.store.ApplyMap(t.Context(), record.Map{ID: skylineID, Version: 2, Removed: true}))
	_, err := readerOf(b).Leaderboard(t.Context(), record.Leaderboard{MapID: skylineID, Page: firstPage})
	if !errors.Is(err, record.ErrMapRemoved) || b.owners.asked != 0 {
		t.Errorf("returned %v after %d questions", err, b.owners.asked)
	}
}

func TestReader_List_unknownNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	strangers := []string{"01970000-0000-7000-8000-0000000000f1", "01970000-0000-7000-8000-0000000000f2"}
	for i, id := range append(strangers, strangers...) {
		upload := pgtest.PendingUpload(t, b.pool, "replays/any.lbReplay")
		_, err := b.store.Submit(t.Context(), record.Accepted{Replay: upload, Record: record.Record{
			ID: id[:34] + string(
				rune('a'+i),
			) + "0",
			MapID:      gardenID,
			PlayerID:   id,
			FinishTime: 900 + i,
			ReplayHash: string(rune('a' + i)),
			CreatedAt:  now,
		}})
		require.NoError(t, err)
	}
	b.owners.players[strangers[0]] = record.Player{ID: strangers[0], Version: 1, Name: "Stranger"}
	names := func() []string {
		page, err := readerOf(b).List(t.Context(), record.List{Sort: record.Sort{By: record.ByTime}, Page: firstPage})
		require.NoError(t, err)
		var names []string
		for _, e := range page.Records {
			names = append(names, e.Map.Name+" "+e.Player.Name)
		}
		return names
	}
	b.owners.unavailable = true
	want := []string{"Garden Unknown", "Garden Unknown", "Garden Unknown", "Garden Unknown"}
	if diff := cmp.Diff(want, names()); diff != "" || b.owners.asked != 1 {
		t.Errorf("while the owner is away, asked %d times (-want +got):\n%s", b.owners.asked, diff)
	}
	b.owners.unavailable, b.owners.asked = false, 0
	want = []string{"Garden Stranger", "Garden Unknown", "Garden Stranger", "Garden Unknown"}
	if diff := cmp.Diff(want, names()); diff != "" || b.owners.asked != 2 {
		t.Errorf("asked %d times (-want +got):\n%s", b.owners.asked, diff)
	}
}

func TestReader_invalidIDs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reader := readerOf(b)
	for _, id := range []string{"", "1", "submit", "01970000-0000-7000-8000-00000000000g",
		"{01970000-0000-7000-8000-000000000001}", "\x00"} {
		if _, err := reader.Details(t.Context(), id); !errors.Is(err, record.ErrRecordUnknown) {
			t.Errorf("Get(%q): %v", id, err)
		}
		moderator := record.Moderator{Records: b.store, Players: b.Players}
		if _, err := moderator.Remove(t.Context(), id,
			access.Attribution{Actor: access.Operator("root"), Reason: "why not"}); !errors.Is(err, record.ErrRecordUnknown) {
			t.Errorf("Remove(%q): %v", id, err)
		}
	}
	page, err := reader.List(t.Context(), record.List{PlayerID: "nobody", Sort: record.Newest, Page: firstPage})
	if err != nil || page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("records of no player: %+v, %v", page, err)
	}
	page, err = reader.Leaderboard(t.Context(), record.Leaderboard{MapID: skylineID, PlayerID: "nobody", Page: firstPage})
	if err != nil || page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("row of no player: %+v, %v", page, err)
	}
}

// manyRecords has more records than can be read, and notes the deepest offset.
type manyRecords struct {
	record.Queries
	passed int
}

const howManyRecords = 2_000_000

func (m *manyRecords) List(_ context.Context, q record.List) (record.RankedList, error) {
	m.passed = max(m.passed, q.Offset)
	return record.RankedList{Total: howManyRecords}, nil
}

func TestReader_List_maxOffset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, tt := range []struct {
		name   string
		player string
		offset int
		want   error
	}{
		{"the first page", "", 0, nil},
		{"the deepest", "", 10_000, nil},
		{"one below", "", 10_001, record.ErrPageTooDeep},
		{"the last row", "", howManyRecords - 1, record.ErrPageTooDeep},
		{"past the end", "", howManyRecords, nil},
		{"a player's own, however deep", annID, 10_001, nil},
	} {
		records := &manyRecords{}
		reader := &record.Reader{Queries: records, Maps: b.Maps, Players: b.Players, Now: time.Now}
		page, err := reader.List(t.Context(), record.List{PlayerID: tt.player, Sort: record.Newest,
			Page: record.Page{Offset: tt.offset, Limit: 10}})
		if !errors.Is(err, tt.want) || err == nil && (page.Total != howManyRecords || len(page.Records) != 0) {
			t.Errorf("%s: %+v, %v, want %v", tt.name, page, err, tt.want)
		}
		if tt.want != nil && problem.From(err).Data["use"] != "after" {
			t.Errorf("%s: %v does not say what to use", tt.name, err)
		}
		if tt.player == "" && records.passed > 10_000 {
			t.Errorf("%s: %d rows were passed over", tt.name, records.passed)
		}
	}
}
