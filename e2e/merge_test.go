package e2e_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
)

func TestPlayers_merged(t *testing.T) {
	t.Parallel()
	needOperator(t)
	ctx := t.Context()
	before, after := account(), account()
	old, kept, other := loggedIn(t, before), loggedIn(t, after), newPlayer(t)

	// The old name has a map, the better time on it, and the only one on another; the new name has a map, too.
	m := newMap(before.Name)
	entry, err := old.SubmitMap(ctx, submission(t, m, before.Name))
	require.NoError(t, err)
	own := newMap(after.Name)
	_, err = kept.SubmitMap(ctx, submission(t, own, after.Name))
	require.NoError(t, err)
	foreign, foreignEntry, _ := submitted(t)
	best := finished(t, old, m, 30_000)
	finished(t, kept, m, 35_000)
	finished(t, other, m, 33_000)
	finished(t, old, foreign, 50_000)
	_, err = old.UpdatePlayer(ctx, old.Player.ID, site.PlayerUpdate{SkinImage: picture()})
	require.NoError(t, err)
	operate(t, "players", "grant", before.Name, "validator")

	operate(t, "players", "merge", strings.ToUpper(before.Name), after.Name, "Renamed in the game.")
	t.Run("the old address shows the player, with the roles and the picture", func(t *testing.T) {
		p, err := newVisitor().PlayerByID(ctx, old.Player.ID)
		if err != nil || p.ID != kept.Player.ID || p.Name != after.Name || p.SkinImageURL == nil {
			t.Errorf("%+v, %v", p, err)
		}
		if err := kept.AwaitRole(ctx, "validator"); err != nil {
			t.Error(err)
		}
	})
	t.Run("a token from before the merge submits for the player", func(t *testing.T) {
		outcome, err := old.SubmitRecord(ctx, site.RecordSubmission{Replay: replay(t, foreign, before.Name, 49_000)})
		require.NoError(t, err)
		eventually.WaitFor(t, "the record to be the player's", func() bool {
			r, err := newVisitor().RecordByID(ctx, outcome.Record.ID)
			return err == nil && r.Player.ID == kept.Player.ID
		})
	})
	t.Run("but is not renewed", func(t *testing.T) {
		eventually.WaitFor(t, "the session to end", func() bool {
			err := old.Refresh(ctx)
			return err != nil && strings.Contains(err.Error(), "401")
		})
	})
	t.Run("leaderboards have one row of the player, with the better record", func(t *testing.T) {
		want := []string{after.Name + " 00:30.00", other.Player.Name + " 00:33.00"}
		eventually.WaitFor(t, "the leaderboard", func() bool {
			leaderboard, err := newVisitor().Leaderboard(ctx, entry.ID, 0, 10)
			var rows []string
			for _, r := range leaderboard.Data {
				rows = append(rows, r.Player.Name+" "+racetime.Format(r.FinishTime))
			}
			return err == nil && cmp.Equal(want, rows)
		})
		eventually.WaitFor(t, "the other leaderboard", func() bool {
			leaderboard, err := newVisitor().Leaderboard(ctx, foreignEntry.ID, 0, 10)
			return err == nil && len(leaderboard.Data) == 2 && leaderboard.Data[1].Player.ID == kept.Player.ID &&
				leaderboard.Data[1].FinishTime == 49_000
		})
		r, err := newVisitor().RecordByID(ctx, best.Record.ID)
		if err != nil || r.Player.ID != kept.Player.ID || !r.PersonalBest {
			t.Errorf("the best record: %+v, %v", r, err)
		}
	})
	t.Run("maps are the player's, and the totals follow", func(t *testing.T) {
		eventually.WaitFor(t, "the profile", func() bool {
			p, err := newVisitor().PlayerByID(ctx, kept.Player.ID)
			return err == nil && p.MapCount == 2 && p.RecordCount == 6
		})
		eventually.WaitFor(t, "the map", func() bool {
			got, err := newVisitor().MapByID(ctx, entry.ID)
			return err == nil && got.Author.ID == kept.Player.ID && got.SubmittedBy.ID == kept.Player.ID &&
				got.MedalTimes.Author != nil && *got.MedalTimes.Author == *entry.MedalTimes.Author
		})
		found, err := newVisitor().SearchPlayers(ctx, api.SearchPlayersParams{Name: before.Name})
		if err != nil || len(found.Data) != 0 {
			t.Errorf("the old name is found: %+v, %v", found.Data, err)
		}
	})
	t.Run("an old replay under the old name is the player's", func(t *testing.T) {
		outcome, err := kept.SubmitRecord(ctx,
			site.RecordSubmission{Replay: replay(t, m, before.Name, 29_000, func(r *lbreplay.Replay) {
				r.Timestamp = r.Timestamp.Add(-24 * time.Hour)
			})})
		if err != nil || !outcome.PersonalBest {
			t.Errorf("%+v, %v", outcome, err)
		}
		_, err = other.SubmitRecord(ctx, site.RecordSubmission{Replay: replay(t, m, before.Name, 28_000)})
		refused(t, err, http.StatusForbidden, "replay_not_yours")
	})
	t.Run("copies that are made again come to the same", func(t *testing.T) {
		for _, kind := range []string{"records", "maps", "players", "auth"} {
			operate(t, kind, "rebuild")
		}
		leaderboard, err := newVisitor().Leaderboard(t.Context(), entry.ID, 0, 10)
		if err != nil || len(leaderboard.Data) != 2 || leaderboard.Data[0].FinishTime != 29_000 ||
			leaderboard.Data[0].Player.Name != after.Name {
			t.Errorf("%+v, %v", leaderboard.Data, err)
		}
	})
	t.Run("a new account with the old name is another player", func(t *testing.T) {
		stranger := loggedIn(t, before)
		if stranger.Player.ID == old.Player.ID || stranger.Player.ID == kept.Player.ID {
			t.Fatalf("logged in as %+v", stranger.Player)
		}
		p, err := newVisitor().PlayerByID(t.Context(), stranger.Player.ID)
		if err != nil || p.MapCount != 0 || p.RecordCount != 0 || len(p.Roles) != 0 {
			t.Errorf("%+v, %v", p, err)
		}
		eventually.WaitFor(t, "the old name's replays to be the player's no more", func() bool {
			_, err := kept.SubmitRecord(t.Context(), site.RecordSubmission{Replay: replay(t, m, before.Name, 60_000)})
			return err != nil && strings.Contains(err.Error(), "replay_not_yours")
		})
	})
}
