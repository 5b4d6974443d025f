package e2e_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

// Each run of the tests has names of its own, so that a site that is used again has not met them.
var (
	thisRun = fmt.Sprintf("%06x", rand.IntN(1<<24))
	people  atomic.Int64
)

// account returns a game account that has never logged in at the site.
func account() site.Account {
	n := people.Add(1)
	return site.Account{
		// No name is a part of another, as "player 1" is of "player 10".
		Name: fmt.Sprintf("player %s %04d", thisRun, n), Level: 10 + int(n),
		Skin: json.RawMessage(`{"layers":[],"bc":9315498}`),
	}
}

// newPlayer returns a visitor who has logged in with a new account.
func newPlayer(t *testing.T) *site.Visitor {
	t.Helper()
	return loggedIn(t, account())
}

func loggedIn(t *testing.T, a site.Account) *site.Visitor {
	t.Helper()
	return loggedInAt(t, capzone, a)
}

// loggedInAt is loggedIn through a gateway of the test's own.
func loggedInAt(t *testing.T, gateway *site.Site, a site.Account) *site.Visitor {
	t.Helper()
	v := gateway.Visitor()
	_, err := v.Login(t.Context(), a)
	require.NoError(t, err)
	return v
}

// withRole returns a new player with a role.
func withRole(t *testing.T, role string) *site.Visitor {
	t.Helper()
	v := newPlayer(t)
	operate(t, "players", "grant", v.Player.Name, role)
	require.NoError(t, v.AwaitRole(t.Context(), role))
	return v
}

// newVisitor returns a visitor who is not logged in.
func newVisitor() *site.Visitor { return capzone.Visitor() }
