package playertest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
)

// merge merges two players as an operator does.
func (s subject) merge(ctx context.Context, from, into string) (player.Player, error) {
	o := player.Operator{Account: "operator", Finder: s.store, Editor: s.store, Pairs: s.store}
	return o.Merge(ctx, from, into, "renamed")
}

func (s subject) registered(names ...string) (players []player.Player) {
	for _, name := range names {
		players = append(players, edit(s.T, s.store, name, func(p *player.Player) { p.Registered = true }))
	}
	return players
}

func (s subject) merged() {
	players := s.registered("old", "new")
	old, before := players[0], players[1]
	after, err := s.merge(s.Context(), "OLD", "new")
	if err != nil {
		s.Fatal(err)
	}
	want := before.Clone()
	want.Version, want.FormerNames, want.CreatedAt, want.UpdatedAt = 2, []string{"old"}, old.CreatedAt, after.UpdatedAt
	if diff := cmp.Diff(want, after); diff != "" {
		s.Errorf("merged (-want +got):\n%s", diff)
	}
	for _, name := range []string{"new", " Old "} {
		found, err := s.store.ByName(s.Context(), name)
		if err != nil {
			s.Fatal(err)
		}
		if diff := cmp.Diff(after, found); diff != "" {
			s.Errorf("found by %q (-want +got):\n%s", name, diff)
		}
	}
	gone, err := s.store.ByID(s.Context(), old.ID)
	if err != nil || gone.MergedInto != after.ID || gone.Version != 2 || gone.Registered {
		s.Errorf("the old row is %+v, %v", gone, err)
	}
	profile, err := s.store.ProfileByID(s.Context(), old.ID)
	if err != nil || profile.ID != after.ID {
		s.Errorf("the old id is answered with %+v, %v", profile, err)
	}
	page, total, err := s.store.Search(s.Context(), player.Query{Sort: player.ByName, Limit: 10})
	if err != nil || total != 1 || !slices.Equal(names(page), []string{"new"}) {
		s.Errorf("a search finds %v of %d, %v", names(page), total, err)
	}
	if _, total, err = s.store.Search(s.Context(), player.Query{Name: "o", Sort: player.ByName, Limit: 10}); err != nil || total != 0 {
		s.Errorf("a search for the old name finds %d, %v", total, err)
	}
	left := s.left()
	wantStates := []event.PlayerState{old.State(), before.State(), gone.State(), after.State()}
	if diff := cmp.Diff(wantStates, left.States); diff != "" {
		s.Errorf("states (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]event.Fact{event.PlayerMerged{PlayerID: old.ID, IntoID: after.ID, Reason: "renamed"}}, left.Facts); diff != "" {
		s.Errorf("facts (-want +got):\n%s", diff)
	}
	if len(left.Audit) != 1 || left.Audit[0].Action != "merge player" {
		s.Errorf("audit log: %+v", left.Audit)
	}
}

func (s subject) mergedIsFinal() {
	players := s.registered("a", "b", "c")
	if _, err := s.merge(s.Context(), "a", "b"); err != nil {
		s.Fatal(err)
	}
	before := s.left()
	nothing := func(*player.Player) (player.Effects, error) { return player.Effects{}, nil }
	if _, err := s.store.Edit(s.Context(), players[0].ID, nothing); !errors.Is(err, player.ErrMerged) {
		s.Errorf("Edit returned %v", err)
	}
	for _, pair := range [][2]int{{0, 2}, {2, 0}} {
		_, _, err := s.store.EditPair(s.Context(), players[pair[0]].ID, players[pair[1]].ID,
			func(first, _ *player.Player) (player.Effects, error) {
				first.Level++
				return player.Effects{}, nil
			})
		if !errors.Is(err, player.ErrMerged) {
			s.Errorf("EditPair of %v returned %v", pair, err)
		}
	}
	wantLeft(s.T, before, s.left())
}

func (s subject) failedPair() {
	players := s.registered("a", "b")
	before := s.left()
	refused := errors.New("refused")
	_, _, err := s.store.EditPair(s.Context(), players[0].ID, players[1].ID, func(first, second *player.Player) (player.Effects, error) {
		first.Level, second.Level = 1, 2
		return player.Effects{}, refused
	})
	if !errors.Is(err, refused) {
		s.Errorf("returned %v", err)
	}
	wantLeft(s.T, before, s.left())
}

func (s subject) nameTaken() {
	s.registered("a", "b", "c")
	for _, pair := range [][2]string{{"a", "b"}, {"b", "c"}} {
		if _, err := s.merge(s.Context(), pair[0], pair[1]); err != nil {
			s.Fatal(err)
		}
	}
	states := len(s.left().States)
	other := s.registered("A")[0]
	holder, err := s.store.ByName(s.Context(), "b")
	if err != nil || holder.Name != "c" || !slices.Equal(holder.FormerNames, []string{"b"}) {
		s.Errorf("who had the name is %+v, %v", holder, err)
	}
	found, err := s.store.ByName(s.Context(), "a")
	if err != nil || found.ID != other.ID || found.ID == holder.ID || other.Version != 1 {
		s.Errorf("the name is of %+v, %v", found, err)
	}
	told := map[string]event.PlayerState{}
	for _, state := range s.left().States[states:] {
		told[state.ID] = state
	}
	if diff := cmp.Diff(map[string]event.PlayerState{other.ID: other.State(), holder.ID: holder.State()}, told); diff != "" {
		s.Errorf("told (-want +got):\n%s", diff)
	}
}

// mergesAtOnce has many merge along one chain while others log in under its
// names. Whatever comes first, each name is one player's, and nobody is lost.
func (s subject) mergesAtOnce() {
	const chain = "abcdefgh"
	s.registered(strings.Split(chain, "")...)
	atOnce(s.T, 2*len(chain), func(ctx context.Context, i int) error {
		name := chain[i/2 : i/2+1]
		if i%2 == 0 {
			_, err := s.store.EditNamed(ctx, name, func(p *player.Player) (player.Effects, error) {
				p.Registered = true
				p.Level++
				return player.Effects{}, nil
			})
			return err
		}
		next := chain[(i/2+1)%len(chain):]
		_, err := s.merge(ctx, name, next[:1])
		if errors.Is(err, player.ErrMerged) {
			return nil // somebody was faster: a merged name is merged no more, and not into
		}
		return err
	})
	page, total, err := s.store.Search(s.Context(), player.Query{Sort: player.ByName, Limit: 100})
	if err != nil || int(total) != len(page) {
		s.Fatalf("%d of %d, %v", len(page), total, err)
	}
	owners := map[string]string{}
	for _, found := range page {
		p, err := s.store.ByID(s.Context(), found.ID)
		if err != nil {
			s.Fatal(err)
		}
		for _, name := range append([]string{p.Name}, p.FormerNames...) {
			if other, ok := owners[name]; ok {
				s.Errorf("%s is a name of %s and of %s", name, other, p.ID)
			}
			owners[name] = p.ID
		}
	}
	for _, name := range strings.Split(chain, "") {
		found, err := s.store.ByName(s.Context(), name)
		if err != nil || found.ID != owners[name] {
			s.Errorf("%s finds %s (%v), and is a name of %s", name, found.ID, err, owners[name])
		}
	}
	versions := map[string]int64{}
	for _, state := range s.left().States {
		if state.Version != versions[state.ID]+1 {
			s.Errorf("of player %s version %d was told after %d", state.ID, state.Version, versions[state.ID])
		}
		versions[state.ID] = state.Version
	}
}
