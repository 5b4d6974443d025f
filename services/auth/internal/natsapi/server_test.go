package natsapi

import (
	"context"
	"errors"
	"testing"

	"capzone.dev/platform/event"
	"capzone.dev/platform/personal"
	"capzone.dev/services/auth/internal/personaltoken"
)

// noTokens fails the test when it is asked.
type noTokens struct{ t *testing.T }

func (n noTokens) Exchange(context.Context, personal.Hash) (personaltoken.Exchanged, error) {
	n.t.Error("asked for a malformed hash")
	return personaltoken.Exchanged{}, nil
}

func TestServer_malformed_hashes(t *testing.T) {
	t.Parallel()
	server := &Server{Tokens: noTokens{t}}
	for _, hash := range [][]byte{nil, make([]byte, 31), make([]byte, 33)} {
		if _, err := server.ExchangeToken(t.Context(), event.ExchangeToken{Hash: hash}); !errors.Is(err, errMalformed) {
			t.Errorf("exchange of %d bytes: %v", len(hash), err)
		}
	}
}
