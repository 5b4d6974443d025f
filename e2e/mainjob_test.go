package e2e_test

import (
	"net/http"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// TestSite_main_job is what the site is for: an author proves an account and submits a map, players submit records, and
// everybody reads the leaderboard.
func TestSite_main_job(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m, entry, author := submitted(t)

	// The map can be read at once.
	if entry.Name != m.Name || entry.BonkDBID != m.ID || string(entry.GameMode) != m.Mode.String() ||
		entry.Author.ID != author.Player.ID || entry.SubmittedBy.ID != author.Player.ID {
		t.Errorf("the map is entered as %+v", entry)
	}
	got, err := newVisitor().MapByID(ctx, entry.ID)
	require.NoError(t, err)
	assert.Equal(t, "read back", entry, got)
	wantMedals := api.MedalTimes{Author: ms(40_000), Gold: ms(42_400), Silver: ms(48_000), Bronze: ms(60_000)}
	assert.Equal(t, "medal times", wantMedals, got.MedalTimes)

	for _, path := range []string{got.ImageURL, got.ThumbnailURL} {
		picture := send(t, newVisitor(), site.Request{Path: path, AtRoot: true})
		if picture.Status != http.StatusOK || picture.Header.Get("Content-Type") != "image/webp" {
			t.Errorf("%s: %d %s", path, picture.Status, picture.Header.Get("Content-Type"))
		}
	}

	// The submitted record becomes the author's first record.
	eventually.WaitFor(t, "the author's record on the leaderboard", func() bool {
		leaderboard, err := newVisitor().Leaderboard(ctx, entry.ID, 0, 10)
		return err == nil && leaderboard.Pagination.Total == 1
	})

	// Players submit, and read their own record at once.
	fast, slow := newPlayer(t), newPlayer(t)
	first := finished(t, slow, m, 70_000)
	if first.Rank != 2 || !first.PersonalBest || first.PreviousBest != nil || first.WorldRecord ||
		first.Record.Map != entry.ID || first.Record.Player != slow.Player.ID {
		t.Errorf("the slow record: %+v", first)
	}
	best := finished(t, fast, m, 39_000)
	if best.Rank != 1 || !best.PersonalBest || !best.WorldRecord {
		t.Errorf("the fast record: %+v", best)
	}
	better := finished(t, slow, m, 47_000)
	if better.Rank != 3 || !better.PersonalBest || better.PreviousBest == nil || *better.PreviousBest != 70_000 {
		t.Errorf("the better record: %+v", better)
	}
	worse := finished(t, fast, m, 41_000)
	if worse.Rank != 1 || worse.PersonalBest || worse.WorldRecord {
		t.Errorf("the worse record: %+v", worse)
	}

	// Everybody reads the leaderboard: one row per player, their best record.
	leaderboard, err := newVisitor().Leaderboard(ctx, entry.ID, 0, 10)
	require.NoError(t, err)
	type row struct {
		Rank   int
		Player string
		Time   int
		Medal  string
	}
	var rows []row
	for _, r := range leaderboard.Data {
		rows = append(rows, row{r.Rank, r.Player.Name, r.FinishTime, medal(r)})
	}
	want := []row{
		{1, fast.Player.Name, 39_000, "author"}, {2, author.Player.Name, 40_000, "author"}, {3, slow.Player.Name, 47_000,
			"silver"},
	}
	assert.Equal(t, "leaderboard", want, rows)
	if leaderboard.Pagination.Total != 3 {
		t.Errorf("the leaderboard counts %d players", leaderboard.Pagination.Total)
	}

	// Every record is kept, also those that are not on the leaderboard.
	if records, err := newVisitor().Records(ctx, api.ListRecordsParams{Player: slow.Player.ID}); err != nil ||
		records.Pagination.Total != 2 {
		t.Errorf("the slow player's records: %+v %v", records.Pagination, err)
	}
	one, err := newVisitor().RecordByID(ctx, first.Record.ID)
	if err != nil || one.FinishTime != 70_000 || one.PersonalBest || one.Medal != nil || one.Map.Name != m.Name {
		t.Errorf("the slow record alone: %+v %v", one, err)
	}

	// The totals of map and players follow.
	eventually.WaitFor(t, "the map to count five records", func() bool {
		got, err := newVisitor().MapByID(ctx, entry.ID)
		return err == nil && got.RecordCount == 5
	})
	eventually.WaitFor(t, "the players' profiles to count", func() bool {
		byAuthor, err := newVisitor().PlayerByID(ctx, author.Player.ID)
		byPlayer, err2 := newVisitor().PlayerByID(ctx, fast.Player.ID)
		return err == nil && err2 == nil && byAuthor.MapCount == 1 && byAuthor.RecordCount == 1 && byPlayer.RecordCount == 2
	})
}

func ms(n int) *int { return &n }

func medal(r api.ListedRecord) string {
	if r.Medal == nil {
		return ""
	}
	return string(*r.Medal)
}
