package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

// setup returns the store of an empty database.
func setup(t *testing.T) *playertest.Store {
	t.Helper()
	return playertest.Open(t)
}

// registration is the login of a player of a level now.
func registration(name string, level int) player.Registration {
	return player.Registration{
		Name: name, NewID: event.NewID(), At: event.InMillis(time.Now()),
		Login: &player.Login{Name: name, Level: level},
	}
}

func register(t *testing.T, s *playertest.Store, name string, level int) player.Player {
	t.Helper()
	p, err := s.Register(t.Context(), registration(name, level))
	require.NoError(t, err)
	return p
}

// merge merges two players as an operator does.
func merge(ctx context.Context, s *playertest.Store, from, into string) (player.Player, error) {
	return playertest.Operator{Store: s}.Merge(ctx, from, into, "renamed")
}

// by attributes a change to a player.
func by(p player.Player) access.Attribution {
	return access.Attribution{Actor: access.Player(p.ID, p.Name, p.Roles)}
}

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
