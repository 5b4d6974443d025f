package parkourmap_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestEntry_Preview(t *testing.T) {
	t.Parallel()
	first := parkourmap.Entry{Author: parkourmap.Player{Name: "Ann"}}
	first.Name, first.MapVersion, first.Files.Image = "Sky", 1, "maps/uploaded.webp"
	drawn := first
	drawn.Files.Picture, drawn.MapVersion = "maps/drawn.webp", 2
	bob := parkourmap.Player{Name: "Bob", SkinColor: "#8e24aa"}
	drawn.WorldRecord = &parkourmap.WorldRecord{FinishTime: 41_267, Player: bob}
	superseded := first
	superseded.Superseded, superseded.Files.Image = true, ""
	mode := first.Mode.String()
	for name, tt := range map[string]struct {
		entry parkourmap.Entry
		want  sharecard.Map
	}{
		"a new map": {first, sharecard.Map{
			Name: "Sky", Author: "Ann", Mode: mode, Picture: sharecard.StoredPicture{Key: "maps/uploaded.webp"},
		}},
		"a drawn version with records": {drawn, sharecard.Map{
			Name: "Sky", Author: "Ann", Mode: mode, Version: 2, Picture: sharecard.StoredPicture{Key: "maps/drawn.webp"},
			Time: "00:41.27", Holder: sharecard.Ball{Name: "Bob", Color: "#8e24aa"},
		}},
		"a superseded version": {superseded, sharecard.Map{Name: "Sky", Author: "Ann", Mode: mode, Version: 1}},
	} {
		assert.Equal(t, name, tt.want, tt.entry.Preview())
	}
}

// Each change raises UpdatedAt, also one that began before an edit and was stored after it.
func TestMap_UpdatedAt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	last := b.known(t)[0].UpdatedAt
	checkRaised := func(what string) {
		t.Helper()
		updatedAt := b.known(t)[0].UpdatedAt
		if !updatedAt.After(last) {
			t.Errorf("%s has set UpdatedAt from %v to %v", what, last, updatedAt)
		}
		last = updatedAt
	}
	editor := b.editor(&medalCounts{})
	editor.Now = func() time.Time { return now.Add(time.Hour) }
	require.NoError(t, b.edit(t, editor, byCloudstep, id, parkourmap.RequestedEdit{Description: new("Edited.")}))
	checkRaised("an edit an hour later")
	b.submitted(t, recoloured)
	checkRaised("an update")
	b.reassignToRain(t, id)
	checkRaised("another author")
}
