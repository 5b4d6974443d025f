package natsapi

import (
	"errors"
	"testing"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/personaltoken"
)

func TestServer_malformed_hashes(t *testing.T) {
	t.Parallel()
	server := &Server{} // without tokens, of which it does not ask for a malformed hash
	for _, hash := range [][]byte{nil, make([]byte, 31), make([]byte, 33)} {
		_, err := server.ExchangeToken(t.Context(), event.ExchangeToken{Hash: hash})
		if !errors.Is(err, personaltoken.ErrHashMalformed) {
			t.Errorf("exchange of %d bytes: %v", len(hash), err)
		}
	}
}
