package httpapi

import (
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/services/maps/internal/parkourmap"
)

// A copy that has not arrived has no name, which the answer has nevertheless.
func TestToWire_without_copies(t *testing.T) {
	t.Parallel()
	wire := toWire(parkourmap.Entry{Author: parkourmap.Player{ID: "a"}})
	require.Equal(t, "author", PlayerRef{UnderscoreId: "a", Name: "Unknown"}, wire.Author)
}
