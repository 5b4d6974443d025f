package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/services/players/internal/player"
)

// Players are merged along one chain while others log in under its names. In any order each name
// ends as one player's.
func TestStore_Moderate_merges_and_logins_at_once(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const chain = "abcdefgh"
	for _, name := range strings.Split(chain, "") {
		register(t, s, name, 0)
	}
	atOnce(t, 2*len(chain), func(ctx context.Context, i int) error {
		name := chain[i/2 : i/2+1]
		if i%2 == 0 {
			_, err := s.Register(ctx, registration(name, i+1))
			return err
		}
		next := chain[(i/2+1)%len(chain):]
		_, err := merge(ctx, s, name, next[:1])
		if errors.Is(err, player.ErrMerged) {
			return nil // another goroutine has merged this name before
		}
		return err
	})
	all, total, err := s.Search(t.Context(), player.Search{Sort: player.Sort{By: player.ByName}, Limit: 100})
	if err != nil || int(total) != len(all) {
		t.Fatalf("%d of %d, %v", len(all), total, err)
	}
	owners := map[string]string{}
	for _, found := range all {
		p, err := s.Get(t.Context(), found.ID)
		require.NoError(t, err)
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
