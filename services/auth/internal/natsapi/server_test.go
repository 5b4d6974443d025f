package natsapi

import (
	"errors"
	"testing"

	"capzone.dev/platform/event"
)

func TestServer_malformed_hashes(t *testing.T) {
	t.Parallel()
	server := &Server{} // without tokens, of which it does not ask for a malformed hash
	for _, hash := range [][]byte{nil, make([]byte, 31), make([]byte, 33)} {
		if _, err := server.ExchangeToken(t.Context(), event.ExchangeToken{Hash: hash}); !errors.Is(err, errMalformed) {
			t.Errorf("exchange of %d bytes: %v", len(hash), err)
		}
	}
}
