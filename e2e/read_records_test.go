package e2e_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/api"
)

func TestLeaderboard(t *testing.T) {
	t.Parallel()
	m, entry, _ := submitted(t) // with a record of 40 s
	var names []string
	for i := range 4 {
		player := newPlayer(t)
		names = append(names, player.Player.Name)
		finished(t, player, m, 50_000+1000*i)
		finished(t, player, m, 90_000) // not a personal best
	}
	eventually.WaitFor(t, "the author's run", func() bool {
		leaderboard, err := newVisitor().Leaderboard(t.Context(), entry.ID, 0, 10)
		return err == nil && leaderboard.Pagination.Total == 5
	})
	cases := []struct {
		name          string
		offset, limit int
		ranks         []int
		first         string
	}{
		{"the first page", 0, 2, []int{1, 2}, ""},
		{"the second page", 2, 2, []int{3, 4}, names[1]},
		{"the last page", 4, 2, []int{5}, names[3]},
		{"a page past the end", 6, 2, nil, ""},
		{"everything", 0, 100, []int{1, 2, 3, 4, 5}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			leaderboard, err := newVisitor().Leaderboard(t.Context(), entry.ID, c.offset, c.limit)
			if err != nil {
				t.Fatal(err)
			}
			var ranks []int
			for _, r := range leaderboard.Data {
				ranks = append(ranks, r.Rank)
				if r.Map.ID != entry.ID || r.Map.Name != entry.Name || r.Player.SkinColor == nil || !r.PersonalBest {
					t.Errorf("row %+v", r)
				}
			}
			if diff := cmp.Diff(c.ranks, ranks); diff != "" {
				t.Errorf("ranks (-want +got):\n%s", diff)
			}
			if c.first != "" && leaderboard.Data[0].Player.Name != c.first {
				t.Errorf("the first is %s, not %s", leaderboard.Data[0].Player.Name, c.first)
			}
			if hasNext := leaderboard.Pagination.Next != nil; hasNext != (c.offset+c.limit < 5) {
				t.Errorf("next is %v", leaderboard.Pagination.Next)
			}
			leaderboard.Pagination.Next = nil
			want := api.RecordPagination{Total: 5, Offset: c.offset, Limit: c.limit}
			if diff := cmp.Diff(want, leaderboard.Pagination); diff != "" {
				t.Errorf("pagination (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("of one player", func(t *testing.T) {
		leaderboard, err := newVisitor().Leaderboard(t.Context(), entry.ID, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		third := leaderboard.Data[2].Player.ID
		mine, err := newVisitor().Records(t.Context(), api.ListRecordsParams{Map: entry.ID, Player: third})
		if err != nil || len(mine.Data) != 1 || mine.Data[0].ID != leaderboard.Data[2].ID {
			t.Errorf("%+v %v", mine.Data, err)
		}
	})
	t.Run("an equal time comes later", func(t *testing.T) {
		late := newPlayer(t)
		if outcome := finished(t, late, m, 50_000); outcome.Rank != 3 {
			t.Errorf("the tie has rank %d, want 3", outcome.Rank)
		}
	})
}

func TestLeaderboard_empty(t *testing.T) {
	t.Parallel()
	needOperator(t)
	_, entry, author := submitted(t)
	var own api.RecordPage
	eventually.WaitFor(t, "the author's run", func() bool {
		var err error
		own, err = newVisitor().Records(t.Context(), api.ListRecordsParams{Player: author.Player.ID})
		return err == nil && len(own.Data) == 1
	})
	operate(t, "records", "remove", own.Data[0].ID, "A test of the empty leaderboard.")
	leaderboard, err := newVisitor().Leaderboard(t.Context(), entry.ID, 0, 10)
	if err != nil || leaderboard.Data == nil || len(leaderboard.Data) != 0 || leaderboard.Pagination.Total != 0 {
		t.Errorf("%+v %v", leaderboard, err)
	}
}

// fieldsOf are the texts of a field, wherever it is in some JSON.
func fieldsOf(t *testing.T, body []byte, field string) []string {
	t.Helper()
	var root any
	if err := json.Unmarshal(body, &root); err != nil {
		t.Fatal(err)
	}
	var found []string
	var look func(any)
	look = func(node any) {
		switch v := node.(type) {
		case map[string]any:
			for name, value := range v {
				if text, ok := value.(string); ok && name == field {
					found = append(found, text)
				}
				look(value)
			}
		case []any:
			for _, value := range v {
				look(value)
			}
		}
	}
	look(root)
	return found
}
