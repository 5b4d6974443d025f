package e2e_test

import (
	"errors"
	"math/rand/v2"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/fill"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/stack"
)

func TestFindByPort(t *testing.T) {
	t.Parallel()
	if !own {
		t.Skip("the stack is not the tests' own")
	}
	address, err := url.Parse(local.Site)
	require.NoError(t, err)
	found, err := stack.FindByPort(address.Port())
	if err != nil || found.DataDir != local.DataDir {
		t.Errorf("the stack of port %s is %s (%v), want %s", address.Port(), found.DataDir, err, local.DataDir)
	}
	if _, err := stack.FindByPort("1"); !errors.Is(err, stack.ErrNotRunning) {
		t.Errorf("port 1: %v", err)
	}
}

func TestFill_is_idempotent(t *testing.T) {
	t.Parallel()
	if !own {
		t.Skip("the site may have the demo's maps")
	}
	w := world.New(7, world.Size{Players: 5, Maps: 3, Foreign: 1, Records: 12, Drawn: 1, Versions: 1})
	var community fill.Community
	fillSite := func() fill.Result {
		var err error
		if community, err = fill.NewCommunity(t.Context(), local, w, func(string) {}); err != nil {
			t.Fatal(err)
		}
		return community.Result
	}
	if _, found, err := fill.FindCommunity(t.Context(), local, w); err != nil || found {
		t.Errorf("the community of an empty site: %v, %v", found, err)
	}
	assert.Equal(t, "the first time", fill.Result{Players: 5, Maps: 5, Records: 12, Avatars: 1}, fillSite())
	assert.Equal(t, "the second time", fill.Result{Players: 5, KnownMaps: 5, KnownRecords: 12}, fillSite())
	for _, p := range w.Players[:4] {
		found, err := newVisitor().SearchPlayers(t.Context(), api.SearchPlayersParams{Name: p.Account.Name})
		if err != nil || len(found.Data) != 1 {
			t.Fatalf("%s: %+v %v", p.Account.Name, found.Data, err)
		}
		if diff := cmp.Diff(p.Roles, found.Data[0].Roles); diff != "" {
			t.Errorf("roles of %s (-want +got):\n%s", p.Account.Name, diff)
		}
	}
	// The demo goes on with records that the site has not met, at times at which they are accepted.
	again, found, err := fill.FindCommunity(t.Context(), local, w)
	if err != nil || !found {
		t.Fatalf("the community of a filled site: %v, %v", found, err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []fill.Community{community, again, community, again, again} {
		if submitted, err := c.SubmitRecord(t.Context(), random); err != nil || submitted.Record.ID == "" {
			t.Errorf("%+v, %v", submitted, err)
		}
	}
}
