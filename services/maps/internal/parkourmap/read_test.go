package parkourmap_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/maps/internal/parkourmap"
)

// A player whose copy has not arrived has an id and no name.
func TestReader_Get_without_copies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	pgtest.Exec(t, b.pool, "truncate players")
	got, err := (&parkourmap.Reader{Maps: b.maps}).Get(t.Context(), id)
	require.NoError(t, err)
	want := parkourmap.Player{ID: cloudstep.ID}
	assert.Equal(t, "author", want, got.Author)
	assert.Equal(t, "submitted by", want, got.SubmittedBy)
}
