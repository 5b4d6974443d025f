package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

func TestToPage_points(t *testing.T) {
	list := leaderboard.RankedList{Records: []record.RankedRecord{
		{Points: new(points.Tenths(5342))},
		{Points: new(points.Tenths(0))}, // counts, on a map that gives none yet
		{},                              // does not count
	}}
	data := toPage(leaderboard.SelectedPage{RankedList: list}).Data
	require.Equal(t, new(534.2), data[0].Points)
	require.Nil(t, data[1].Points)
	require.Nil(t, data[2].Points)
}
