package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

// strict returns the visitors of a gateway with small limits, which trusts the addresses that the tests name.
func strict(t *testing.T) func(address string) *site.Visitor {
	t.Helper()
	needOperator(t)
	address, stop, err := local.Beside(t.Context(), []string{"auth"}, map[string]string{
		"ROOMS_PER_HOUR": "3", "SUBMISSIONS_PER_HOUR": "3",
		"TRUSTED_PROXIES": "127.0.0.1,::1",
	})
	require.NoError(t, err)
	t.Cleanup(stop)
	limited := site.New(address)
	return func(address string) *site.Visitor {
		v := limited.Visitor()
		v.Header = http.Header{"X-Forwarded-For": {address}}
		return v
	}
}

// The gateway tells the services the address of a visitor, and counts what a player submits from all addresses.
func TestLimits(t *testing.T) {
	t.Parallel()
	from := strict(t)
	// Addresses that no other test has used up.
	network := fmt.Sprintf("198.18.%d.", rand.IntN(256))
	t.Run("of rooms, per address and hour", func(t *testing.T) {
		for n := range 3 { // those that are entered count
			account := site.Account{Name: fmt.Sprint("limited ", rand.Int32(), " ", n), Level: 1}
			_, err := from(network+"7").Login(t.Context(), account)
			require.NoError(t, err)
		}
		_, err := from(network + "7").RequestRoomLink(t.Context())
		refused(t, err, http.StatusTooManyRequests, "too_many_rooms")
		if _, err := from(network + "8").RequestRoomLink(t.Context()); err != nil {
			t.Errorf("another address: %v", err)
		}
	})
	t.Run("of submissions, per player and hour", func(t *testing.T) {
		player := newPlayer(t)
		var f site.Form
		f.Field("nothing", "here")
		number := 0
		tooOften(t, 3, func() (site.Answer, error) {
			number++ // from everywhere
			v := from(fmt.Sprintf("%s%d", network, 40+number))
			v.Token = player.Token
			return v.Send(t.Context(), f.Request(http.MethodPost, "/records/submit"))
		})
	})
}

// tooOften checks that a call is answered so many times and then refused.
func tooOften(t *testing.T, times int, call func() (site.Answer, error)) {
	t.Helper()
	for i := range times + 1 {
		answer, err := call()
		require.NoError(t, err)
		refusedNow := answer.Status == http.StatusTooManyRequests
		if want := i == times; refusedNow != want {
			t.Fatalf("call %d: %d %s", i+1, answer.Status, answer.Body)
		}
		if refusedNow {
			whole(t, answer.Problem().(*site.Problem)) //nolint:errorlint // made so
		}
	}
}
