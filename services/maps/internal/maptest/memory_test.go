package maptest_test

import (
	"testing"

	"capzone.dev/services/maps/internal/maptest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	t.Parallel()
	maptest.Contract(t, func(*testing.T) (maptest.Store, func() maptest.Left) {
		memory := maptest.NewMemory()
		return memory, memory.Left
	})
}
