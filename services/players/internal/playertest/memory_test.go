package playertest_test

import (
	"testing"

	"capzone.dev/services/players/internal/playertest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	t.Parallel()
	playertest.Contract(t, func(*testing.T) (playertest.Store, func() playertest.Left) {
		store := playertest.NewMemory()
		return store, store.Left
	})
}
