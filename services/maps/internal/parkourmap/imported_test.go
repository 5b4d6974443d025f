package parkourmap_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/access"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestKnownMaps_Import(t *testing.T) {
	t.Parallel()
	by := byRoot("")
	stored := parkourmap.ImportedMap{
		ID: "a", GameMapID: 4, Name: "Stairs", Authors: []string{"cloudstep"}, ImportedAt: now, UpdatedAt: now,
	}
	again := stored
	again.ID, again.ImportedAt, again.UpdatedAt = "b", now.Add(time.Hour), now.Add(time.Hour)
	renamed, after := again, again
	renamed.Name, after.Name = "Steps", "Steps"
	after.ID, after.ImportedAt = stored.ID, stored.ImportedAt
	values := func(name string) map[string]any {
		return map[string]any{"gameMapId": int64(4), "name": name, "authors": []string{"cloudstep"}, "page": ""}
	}
	known := map[int64]parkourmap.ImportedMap{4: stored}
	const reason = "The map was removed from the site and cannot be submitted again."
	for name, tt := range map[string]struct {
		known parkourmap.KnownMaps
		row   parkourmap.ImportedMap
		want  parkourmap.ImportResult
	}{
		"new": {parkourmap.KnownMaps{}, again, parkourmap.ImportResult{
			Outcome: parkourmap.ImportAdded, Map: again,
			Entry: access.Entry{By: by, Action: access.ImportMaps, Target: "b", After: values("Stairs")},
		}},
		"changed": {parkourmap.KnownMaps{Imported: known}, renamed, parkourmap.ImportResult{
			Outcome: parkourmap.ImportChanged, Map: after, Entry: access.Entry{
				By: by, Action: access.ImportMaps, Target: "a", Before: values("Stairs"), After: values("Steps"),
			},
		}},
		"the same": {parkourmap.KnownMaps{Imported: known}, again,
			parkourmap.ImportResult{Outcome: parkourmap.ImportUnchanged}},
		"on the site": {parkourmap.KnownMaps{OnSite: map[int64]bool{4: true}}, again,
			parkourmap.ImportResult{Outcome: parkourmap.ImportOnSite}},
		"removed": {parkourmap.KnownMaps{Imported: known, OnSite: map[int64]bool{4: false}}, renamed,
			parkourmap.ImportResult{Outcome: parkourmap.ImportRefused, Reason: reason}},
	} {
		assert.Equal(t, name, tt.want, tt.known.Import(by, tt.row))
	}
}

func TestImporter_Unlist_refusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	importer := &parkourmap.Importer{Maps: b.maps, Players: b.Players, Now: b.Now, NewID: b.NewID}
	player := access.Attribution{Actor: access.Player(judge.ID, "Judge", []string{access.Admin}), Reason: "mine"}
	checkError(t, "by a player", access.ErrForbidden, importer.Unlist(t.Context(), player, "1000"))
	checkError(t, "without a reason", access.ErrReasonMissing, importer.Unlist(t.Context(), byRoot(" "), "1000"))
	for _, unknown := range []string{"1000", judge.ID} {
		checkError(t, "of "+unknown, parkourmap.ErrImportedMapUnknown, importer.Unlist(t.Context(), byRoot("x"), unknown))
	}
}
