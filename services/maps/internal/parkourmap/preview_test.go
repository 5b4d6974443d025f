package parkourmap_test

import (
	"testing"

	"capzone.dev/platform/sharecard"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestEntry_Preview(t *testing.T) {
	t.Parallel()
	first := parkourmap.Entry{Author: parkourmap.Player{Name: "Ann"}}
	first.Name, first.MapVersion, first.Files.Image = "Sky", 1, "maps/uploaded.webp"
	drawn := first
	drawn.Files.Picture, drawn.MapVersion = "maps/drawn.webp", 2
	drawn.WorldRecord = &parkourmap.WorldRecord{FinishTime: 41_267, Player: parkourmap.Player{Name: "Bob"}}
	superseded := first
	superseded.Superseded, superseded.Files.Image = true, ""
	mode := first.Mode.String()
	for name, tt := range map[string]struct {
		entry parkourmap.Entry
		want  sharecard.Preview
	}{
		"a new map": {first, sharecard.Preview{
			Kicker: mode, Title: "Sky", Lines: []string{"by Ann", "No records yet"},
			Picture: sharecard.StoredPicture{Key: "maps/uploaded.webp"},
		}},
		"a drawn version with records": {drawn, sharecard.Preview{
			Kicker: mode + " · Version 2", Title: "Sky", Feature: "00:41.27", Lines: []string{"by Ann", "World record by Bob"},
			Picture: sharecard.StoredPicture{Key: "maps/drawn.webp"},
		}},
		"a superseded version": {superseded, sharecard.Preview{
			Kicker: mode + " · Version 1", Title: "Sky", Lines: []string{"by Ann", "No records yet"},
		}},
	} {
		checkEqual(t, name, tt.want, tt.entry.Preview())
	}
}
