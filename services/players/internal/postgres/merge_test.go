package postgres_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

// merge merges two players as an operator does.
func merge(ctx context.Context, s *playertest.Store, from, into string) (player.Player, error) {
	return playertest.Operator{Store: s}.Merge(ctx, from, into, "renamed")
}

// registered registers players and returns them.
func registered(t *testing.T, s *playertest.Store, names ...string) (players []player.Player) {
	t.Helper()
	for _, name := range names {
		players = append(players, edit(t, s, name, func(p *player.Player) { p.Registered = true }))
	}
	return players
}

func TestStore_ChangePair_merges(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	players := registered(t, s, "old", "new")
	old, before := players[0], players[1]
	after, err := merge(t.Context(), s, "OLD", "new")
	if err != nil {
		t.Fatal(err)
	}
	want := before.Clone()
	want.Version, want.FormerNames, want.CreatedAt, want.UpdatedAt = 2, []string{"old"}, old.CreatedAt, after.UpdatedAt
	if diff := cmp.Diff(want, after); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	for _, name := range []string{"new", " Old "} {
		found, err := s.GetByName(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(after, found); diff != "" {
			t.Errorf("found by %q (-want +got):\n%s", name, diff)
		}
	}
	gone, err := s.Get(t.Context(), old.ID)
	if err != nil || gone.MergedInto != after.ID || gone.Version != 2 || gone.Registered {
		t.Errorf("the old row is %+v, %v", gone, err)
	}
	profile, err := s.GetProfile(t.Context(), old.ID)
	if err != nil || profile.ID != after.ID {
		t.Errorf("the old id is answered with %+v, %v", profile, err)
	}
	found, err := s.Search(t.Context(), player.Page{Sort: player.Sort{By: player.ByName}, Limit: 10})
	if err != nil || found.Total != 1 || !slices.Equal(names(found.Profiles), []string{"new"}) {
		t.Errorf("a search finds %v of %d, %v", names(found.Profiles), found.Total, err)
	}
	found, err = s.Search(t.Context(), player.Page{Name: "o", Sort: player.Sort{By: player.ByName}, Limit: 10})
	if err != nil || found.Total != 0 {
		t.Errorf("a search for the old name finds %d, %v", found.Total, err)
	}
	left := s.Left()
	wantStates := []event.PlayerState{old.State(), before.State(), gone.State(), after.State()}
	if diff := cmp.Diff(wantStates, left.States); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]event.Fact{event.PlayerMerged{PlayerID: old.ID, IntoID: after.ID, Reason: "renamed"}},
		left.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if len(left.Audit) != 2 || left.Audit[0].Action != "merge player" {
		t.Errorf("audit log: %+v", left.Audit)
	}
}

func TestStore_Change_of_a_merged_player(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	players := registered(t, s, "a", "b", "c")
	if _, err := merge(t.Context(), s, "a", "b"); err != nil {
		t.Fatal(err)
	}
	before := s.Left()
	if _, err := s.Change(t.Context(), players[0].ID, unchanged); !errors.Is(err, player.ErrMerged) {
		t.Errorf("Change returned %v", err)
	}
	for _, pair := range [][2]int{{0, 2}, {2, 0}} {
		_, _, err := s.ChangePair(t.Context(), players[pair[0]].ID, players[pair[1]].ID,
			func(first, second player.Player) (player.Change, player.Change, error) {
				first.Level++
				return player.Change{Player: first}, player.Change{Player: second}, nil
			})
		if !errors.Is(err, player.ErrMerged) {
			t.Errorf("ChangePair of %v returned %v", pair, err)
		}
	}
	wantLeft(t, before, s.Left())
}

func TestStore_ChangePair_that_fails(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	players := registered(t, s, "a", "b")
	before := s.Left()
	refused := errors.New("refused")
	_, _, err := s.ChangePair(t.Context(), players[0].ID, players[1].ID,
		func(first, second player.Player) (player.Change, player.Change, error) {
			first.Level, second.Level = 1, 2
			return player.Change{Player: first}, player.Change{Player: second}, refused
		})
	if !errors.Is(err, refused) {
		t.Errorf("returned %v", err)
	}
	wantLeft(t, before, s.Left())
}

func TestStore_ChangeByName_of_a_former_name(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	registered(t, s, "a", "b", "c")
	for _, pair := range [][2]string{{"a", "b"}, {"b", "c"}} {
		if _, err := merge(t.Context(), s, pair[0], pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	states := len(s.Left().States)
	other := registered(t, s, "A")[0]
	holder, err := s.GetByName(t.Context(), "b")
	if err != nil || holder.Name != "c" || !slices.Equal(holder.FormerNames, []string{"b"}) {
		t.Errorf("who had the name is %+v, %v", holder, err)
	}
	found, err := s.GetByName(t.Context(), "a")
	if err != nil || found.ID != other.ID || found.ID == holder.ID || other.Version != 1 {
		t.Errorf("the name is of %+v, %v", found, err)
	}
	published := map[string]event.PlayerState{}
	for _, state := range s.Left().States[states:] {
		published[state.ID] = state
	}
	if diff := cmp.Diff(map[string]event.PlayerState{other.ID: other.State(), holder.ID: holder.State()},
		published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}

// Players are merged along one chain while others log in under its names. In any order each name
// ends as one player's.
func TestStore_ChangePair_and_logins_at_once(t *testing.T) {
	t.Parallel()
	s := playertest.Open(t)
	const chain = "abcdefgh"
	registered(t, s, strings.Split(chain, "")...)
	atOnce(t, 2*len(chain), func(ctx context.Context, i int) error {
		name := chain[i/2 : i/2+1]
		if i%2 == 0 {
			_, err := s.ChangeByName(ctx, name, func(p player.Player) (player.Change, error) {
				p.Registered = true
				p.Level++
				return player.Change{Player: p}, nil
			})
			return err
		}
		next := chain[(i/2+1)%len(chain):]
		_, err := merge(ctx, s, name, next[:1])
		if errors.Is(err, player.ErrMerged) {
			return nil // another goroutine has merged this name before
		}
		return err
	})
	all, err := s.Search(t.Context(), player.Page{Sort: player.Sort{By: player.ByName}, Limit: 100})
	if err != nil || int(all.Total) != len(all.Profiles) {
		t.Fatalf("%d of %d, %v", len(all.Profiles), all.Total, err)
	}
	owners := map[string]string{}
	for _, found := range all.Profiles {
		p, err := s.Get(t.Context(), found.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append([]string{p.Name}, p.FormerNames...) {
			if other, ok := owners[name]; ok {
				t.Errorf("%s is a name of %s and of %s", name, other, p.ID)
			}
			owners[name] = p.ID
		}
	}
	for _, name := range strings.Split(chain, "") {
		found, err := s.GetByName(t.Context(), name)
		if err != nil || found.ID != owners[name] {
			t.Errorf("%s finds %s (%v), and is a name of %s", name, found.ID, err, owners[name])
		}
	}
	versions := map[string]int64{}
	for _, state := range s.Left().States {
		if state.Version != versions[state.ID]+1 {
			t.Errorf("of player %s version %d was published after %d", state.ID, state.Version, versions[state.ID])
		}
		versions[state.ID] = state.Version
	}
}
