package recordtest_test

import (
	"testing"

	"capzone.dev/services/records/internal/recordtest"
)

func TestTheModelKeepsTheContract(t *testing.T) {
	t.Parallel()
	recordtest.Contract(t, func(*testing.T) recordtest.Store { return recordtest.NewMemory() })
}
