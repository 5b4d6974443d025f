package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

// The gateway tells auth the address of a visitor, by which rooms are limited.
func TestLimits(t *testing.T) {
	t.Parallel()
	needOperator(t)
	address, stop, err := local.Beside(t.Context(), []string{"auth"}, map[string]string{
		"ROOMS_PER_HOUR": "3", "TRUSTED_PROXIES": "127.0.0.1,::1",
	})
	require.NoError(t, err)
	t.Cleanup(stop)
	limited := site.New(address)
	network := fmt.Sprintf("198.18.%d.", rand.IntN(256)) // that no other test has used up
	from := func(host string) *site.Visitor {
		v := limited.Visitor()
		v.Header = http.Header{"X-Forwarded-For": {network + host}}
		return v
	}
	for n := range 3 { // those that are entered count
		account := site.Account{Name: fmt.Sprint("limited ", rand.Int32(), " ", n), Level: 1}
		_, err := from("7").Login(t.Context(), account)
		require.NoError(t, err)
	}
	_, err = from("7").RequestRoomLink(t.Context())
	refused(t, err, http.StatusTooManyRequests, "too_many_rooms")
	if _, err := from("8").RequestRoomLink(t.Context()); err != nil {
		t.Errorf("another address: %v", err)
	}
}
