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

func (n noTokens) RevokeLeaked(context.Context, []personal.Hash) error {
	n.t.Error("asked for malformed hashes")
	return nil
}

func TestServer_malformed_hashes(t *testing.T) {
	t.Parallel()
	server := &Server{Tokens: noTokens{t}}
	for _, hash := range [][]byte{nil, make([]byte, 31), make([]byte, 33)} {
		if _, err := server.ExchangeToken(t.Context(), event.ExchangeToken{Hash: hash}); !errors.Is(err, errMalformed) {
			t.Errorf("exchange of %d bytes: %v", len(hash), err)
		}
		request := event.RevokeLeaked{Hashes: [][]byte{make([]byte, 32), hash}}
		if _, err := server.RevokeLeaked(t.Context(), request); !errors.Is(err, errMalformed) {
			t.Errorf("revocation of %d bytes: %v", len(hash), err)
		}
	}
	many := event.RevokeLeaked{Hashes: make([][]byte, event.MaxLeaked+1)}
	for i := range many.Hashes {
		many.Hashes[i] = make([]byte, 32)
	}
	if _, err := server.RevokeLeaked(t.Context(), many); !errors.Is(err, errMalformed) {
		t.Errorf("too many hashes: %v", err)
	}
}
