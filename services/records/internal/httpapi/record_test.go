package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"capzone.dev/services/records/internal/record"
)

// A copy that has not arrived has no name, which the answer has nevertheless.
func TestToWire_without_copies(t *testing.T) {
	wire := toWire(record.RankedRecord{Map: record.Map{ID: "m"}, Player: record.Player{ID: "p"}})
	require.Equal(t, MapRef{UnderscoreId: "m", Name: "Unknown"}, wire.Map)
	require.Equal(t, PlayerRef{UnderscoreId: "p", Name: "Unknown"}, wire.Player)
}
