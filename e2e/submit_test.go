package e2e_test

import (
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
)

// A validator submits the map of somebody who has never logged in, and who takes it over at the first login.
func TestSubmitMap_of_an_absent_author(t *testing.T) {
	t.Parallel()
	validator, absent := withRole(t, "validator"), account()
	entry := submittedBy(t, validator, newMap(absent.Name))
	if entry.Author.Name != absent.Name || entry.SubmittedBy.ID != validator.Player.ID {
		t.Errorf("submitted as %+v", entry)
	}
	search := api.SearchPlayersParams{Name: absent.Name}
	if found, err := newVisitor().SearchPlayers(t.Context(), search); err != nil || len(found.Data) != 0 {
		t.Errorf("a player who never logged in is found: %+v %v", found.Data, err)
	}
	if author := loggedIn(t, absent); author.Player.ID != entry.Author.ID {
		t.Errorf("the author has the _id %s, the map's author %s", author.Player.ID, entry.Author.ID)
	}
	eventually.WaitFor(t, "the author to be found", func() bool {
		found, err := newVisitor().SearchPlayers(t.Context(), search)
		return err == nil && len(found.Data) == 1 && found.Data[0].ID == entry.Author.ID && found.Data[0].Registered
	})
}

// submittedBy submits the map of another author for a validator.
func submittedBy(t *testing.T, validator *site.Visitor, m *bonkmap.Map) (entry api.ParkourMap) {
	t.Helper()
	s := submission(t, m, validator.Player.Name)
	// The maps service learns the role by an event, which may arrive later than the token.
	eventually.WaitFor(t, "the role of the validator in the maps service", func() bool {
		var err error
		entry, err = validator.SubmitMap(t.Context(), s)
		return err == nil
	})
	return entry
}
