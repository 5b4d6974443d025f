package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestStore_unknown_player(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	for _, id := range []string{"0198c2f4-0000-7000-8000-000000000000", "", "1", "'; drop table players; --", "\x00"} {
		if _, err := s.Get(t.Context(), id); !errors.Is(err, player.ErrUnknown) {
			t.Errorf("Get(%q) returned %v", id, err)
		}
		_, err := s.Change(t.Context(), id, time.Now(), unchanged)
		if !errors.Is(err, player.ErrUnknown) {
			t.Errorf("Change(%q) returned %v", id, err)
		}
	}
	if _, err := s.GetByName(t.Context(), "nobody"); !errors.Is(err, player.ErrUnknown) {
		t.Errorf("ByName returned %v", err)
	}
	wantLeft(t, playertest.Left{}, s.Left())
}

func TestStore_ChangeByName_stores_everything(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	stored := edit(t, s, "Zéro", func(p *player.Player) {
		p.Level, p.Skin, p.SkinColor = 12, []byte(`{"bc":255}`), "#0000ff"
		p.Roles, p.Registered = []string{"admin", "map maker"}, true
		p.Banned, p.Ban = true, player.Ban{
			Reason: "edited replays", PublicReason: access.Edited, Until: time.Date(2099, 1, 31, 0, 0, 0, 0, time.UTC),
			DecisionID: "d1",
		}
	})
	if stored.ID == "" || stored.Version != 1 || stored.Name != "Zéro" || stored.CreatedAt.IsZero() {
		t.Errorf("stored %+v", stored)
	}
	byID, err := s.Get(t.Context(), stored.ID)
	require.NoError(t, err)
	assert.Equal(t, "found by id", stored, byID)
	byName, err := s.GetByName(t.Context(), " ZE\u0301RO ")
	require.NoError(t, err)
	assert.Equal(t, "found by name", stored, byName)
	if p, err := s.GetByName(t.Context(), "zero"); !errors.Is(err, player.ErrUnknown) {
		t.Errorf("without its accent it is another name, but found %+v, %v", p, err)
	}
}

func TestStore_Change_that_changes_nothing(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	made := edit(t, s, "a", func(*player.Player) {})
	again, err := s.Change(t.Context(), made.ID, time.Now(), func(l player.Locked) (player.Change, error) {
		p := l.Player
		return player.Change{Player: p, Actions: []access.Action{access.ChangeRoles}}, nil
	})
	require.NoError(t, err)
	assert.Equal(t, "player", made, again)
	wantLeft(t, playertest.Left{States: []event.PlayerState{made.State()}}, s.Left())
}

func TestStore_ChangeByName_that_fails(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	refused := errors.New("refused")
	_, err := s.ChangeByName(t.Context(), "a", event.NewID(), time.Now(), func(l player.Locked) (player.Change, error) {
		p := l.Player
		p.Level = 3
		return player.Change{Player: p}, refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("returned %v", err)
	}
	if _, err := s.GetByName(t.Context(), "a"); !errors.Is(err, player.ErrUnknown) {
		t.Errorf("the player was made all the same: %v", err)
	}
	wantLeft(t, playertest.Left{}, s.Left())
}

func TestStore_ChangeByName_by_16_at_once(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	const times = 16
	ids := make([]string, times)
	atOnce(t, times, func(ctx context.Context, i int) error {
		name := "CloudStep"
		if i%2 == 0 {
			name = strings.ToUpper(name)
		}
		p, err := s.ChangeByName(ctx, name, event.NewID(), time.Now(), unchanged)
		ids[i] = p.ID
		return err
	})
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("several players were made: %q", ids)
		}
	}
	if states := s.Left().States; len(states) != 1 {
		t.Errorf("%d states were published, want 1", len(states))
	}
}

func TestStore_Search_finds_parts_of_names(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	for _, name := range []string{"Anna", "HANNAH", "Ännchen", "bob_★", "100%", "雲a", "an"} {
		edit(t, s, name, func(p *player.Player) { p.Registered = true })
	}
	edit(t, s, "annabel", func(*player.Player) {}) // a placeholder
	for _, tt := range []struct {
		term string
		want []string
	}{
		{"", []string{"100%", "an", "Anna", "Ännchen", "bob_★", "HANNAH", "雲a"}},
		{"  ", []string{"100%", "an", "Anna", "Ännchen", "bob_★", "HANNAH", "雲a"}},
		{"A", []string{"an", "Anna", "Ännchen", "雲a"}},
		{"an", []string{"an", "Anna", "Ännchen"}},
		{"ann", []string{"Anna", "Ännchen", "HANNAH"}},
		{"ÁNNA", []string{"Anna", "HANNAH"}},
		{"hannah", []string{"HANNAH"}},
		{" hannah ", []string{"HANNAH"}},
		{"hannahh", nil},
		{"nnahan", nil},
		{"bo", []string{"bob_★"}},
		{"b_★", []string{"bob_★"}},
		// An underscore ends a word, as a blank and a dash do.
		{"★", []string{"bob_★"}},
		{"bob ★", []string{"bob_★"}},
		{"bob–★", []string{"bob_★"}},
		{"00%", []string{"100%"}},
		{"雲", []string{"雲a"}},
		// A term without anything searchable finds nothing.
		{"\u0301", nil},
		// One or two characters match at the beginnings of words.
		{"_", nil},
		{"%", nil},
		{"x", nil},
		{"\\", nil},
		{"annabel", nil},
	} {
		q := player.Search{Name: tt.term, Sort: player.Sort{By: player.ByName}, Limit: 100}
		found, total, err := s.Search(t.Context(), q)
		if err != nil {
			t.Fatalf("search for %q: %v", tt.term, err)
		}
		if diff := cmp.Diff(tt.want, names(found)); diff != "" {
			t.Errorf("search for %q (-want +got):\n%s", tt.term, diff)
		}
		if total != int64(len(tt.want)) {
			t.Errorf("search for %q counts %d, want %d", tt.term, total, len(tt.want))
		}
	}
}

func TestStore_Search_sorts_and_pages(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	for i, name := range []string{"cc-runner", "Aa-runner", "dd-runner", "Éé-runner", "bb-runner"} {
		edit(t, s, name, func(p *player.Player) { p.Registered, p.Level = true, i/2 })
	}
	const byLevel = "cc-runner Aa-runner dd-runner Éé-runner bb-runner"
	for _, tt := range []struct {
		sort       player.SortBy
		descending bool
		limit      int
		offset     int
		want       string
	}{
		{player.ByName, false, 10, 0, "Aa-runner bb-runner cc-runner dd-runner Éé-runner"},
		{player.ByName, true, 10, 0, "Éé-runner dd-runner cc-runner bb-runner Aa-runner"},
		{player.ByName, false, 2, 0, "Aa-runner bb-runner"},
		{player.ByName, false, 2, 2, "cc-runner dd-runner"},
		{player.ByName, false, 2, 4, "Éé-runner"},
		{player.ByName, false, 2, 6, ""},
		{player.ByLevel, false, 10, 0, byLevel},
		{player.ByLevel, true, 10, 0, "bb-runner Éé-runner dd-runner Aa-runner cc-runner"},
		{player.ByCreated, false, 3, 0, "cc-runner Aa-runner dd-runner"},
		{player.ByUpdated, true, 2, 0, "bb-runner Éé-runner"},
	} {
		for _, term := range []string{"", "run", "runner"} {
			q := player.Search{
				Name: term, Sort: player.Sort{By: tt.sort, Descending: tt.descending}, Limit: tt.limit, Offset: tt.offset,
			}
			found, total, err := s.Search(t.Context(), q)
			if err != nil {
				t.Fatalf("%+v: %v", q, err)
			}
			if diff := cmp.Diff(tt.want, strings.Join(names(found), " ")); diff != "" {
				t.Errorf("%+v (-want +got):\n%s", q, diff)
			}
			if total != 5 {
				t.Errorf("%+v counts %d, want 5", q, total)
			}
		}
	}
}

func edit(t *testing.T, store player.PlayersByName, name string, alter func(p *player.Player)) player.Player {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	p, err := store.ChangeByName(t.Context(), name, event.NewID(), now, func(l player.Locked) (player.Change, error) {
		p := l.Player
		alter(&p)
		return player.Change{Player: p}, nil
	})
	if err != nil {
		t.Fatalf("edit %q: %v", name, err)
	}
	return p
}

// unchanged is a rule that changes nothing.
func unchanged(l player.Locked) (player.Change, error) { return player.Change{Player: l.Player}, nil }

func atOnce(t *testing.T, times int, do func(ctx context.Context, i int) error) {
	t.Helper()
	var group sync.WaitGroup
	for i := range times {
		group.Go(func() {
			if err := do(t.Context(), i); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func wantLeft(t *testing.T, want, got playertest.Left) {
	t.Helper()
	assert.Equal(t, "left behind", want, got)
}

func names(page []player.Profile) []string {
	var list []string
	for _, p := range page {
		list = append(list, p.Name)
	}
	return list
}
