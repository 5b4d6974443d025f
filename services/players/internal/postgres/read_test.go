package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestStore_Search_finds_parts_of_names(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, name := range []string{"Anna", "HANNAH", "Ännchen", "bob_★", "100%", "雲a", "an"} {
		register(t, s, name, 0)
	}
	placeholder := player.Registration{Name: "annabel", NewID: event.NewID(), At: time.Now()}
	_, err := s.Register(t.Context(), placeholder)
	require.NoError(t, err)
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
	s := setup(t)
	for i, name := range []string{"cc-runner", "Aa-runner", "dd-runner", "Éé-runner", "bb-runner"} {
		register(t, s, name, i/2)
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

func names(page []player.Profile) []string {
	var list []string
	for _, p := range page {
		list = append(list, p.Name)
	}
	return list
}

func TestStore_HasAdmin(t *testing.T) {
	t.Parallel()
	players := setup(t)
	register(t, players, "a", 0)
	operator := playertest.Operator{Store: players}
	for _, step := range []struct {
		do   func(context.Context, string, string) (player.Player, error)
		role string
		want bool
	}{
		{operator.Grant, "artist", false},
		{operator.Grant, "admin", true},
		{operator.Revoke, "artist", true},
		{operator.Revoke, "admin", false},
	} {
		_, err := step.do(t.Context(), "a", step.role)
		require.NoError(t, err)
		if has, err := players.HasAdmin(t.Context()); err != nil || has != step.want {
			t.Errorf("after %s there is an admin: %v (%v), want %v", step.role, has, err, step.want)
		}
	}
}
