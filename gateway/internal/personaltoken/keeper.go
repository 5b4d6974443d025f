// Package personaltoken lets programs act for players by personal tokens. It exchanges the token of a request at auth
// for an access token with the same scopes, which services know, and keeps the outcome for at most a minute.
// docs/decisions/0092-personal-tokens.md says why.
package personaltoken

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/nats-io/nats.go"

	"capzone.dev/gateway/internal/limit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/problem"
)

const (
	// maxKept bounds the outcomes that are kept.
	maxKept = 10_000
	// keepFor is how long an outcome is kept. A revocation that the gateway misses has effect after that time.
	keepFor = time.Minute
)

// errTokensUnavailable is returned while auth cannot be asked.
var errTokensUnavailable = problem.Unavailable("tokens_unavailable",
	"Personal tokens cannot be checked at the moment. Please try again shortly.").WithRetryAfter(2 * time.Second)

// Keeper exchanges personal tokens. It is safe for concurrent use.
type Keeper struct {
	nc     *nats.Conn
	limits *limit.Limits
	// kept has what tokens were exchanged for, and nil for those that auth does not accept.
	kept *expirable.LRU[personal.Hash, *event.ExchangedToken]
}

// NewKeeper returns a keeper that asks auth over NATS, and forgets tokens that auth announces as revoked.
func NewKeeper(nc *nats.Conn, limits *limit.Limits, log *slog.Logger) (*Keeper, error) {
	kept := expirable.NewLRU[personal.Hash, *event.ExchangedToken](maxKept, nil, keepFor)
	k := &Keeper{nc: nc, limits: limits, kept: kept}
	_, err := nc.Subscribe(event.TokenRevokedSubject, func(msg *nats.Msg) {
		id, err := revokedID(msg.Data)
		if err != nil {
			log.Warn("event cannot be read, all tokens are exchanged again", "subject", msg.Subject, "error", err)
			k.kept.Purge()
			return
		}
		k.forget(id)
	})
	if err != nil {
		return nil, fmt.Errorf("subscribe to %s: %w", event.TokenRevokedSubject, err)
	}
	return k, nil
}

func revokedID(data []byte) (string, error) {
	var envelope event.Envelope
	if err := json.Unmarshal(data, &envelope); err != nil {
		return "", err
	}
	revoked, err := event.Decode[event.TokenRevoked](envelope)
	return revoked.TokenID, err
}

// forget drops what a token was exchanged for.
func (k *Keeper) forget(id string) {
	for _, hash := range k.kept.Keys() {
		if exchanged, ok := k.kept.Peek(hash); ok && exchanged != nil && exchanged.TokenID == id {
			k.kept.Remove(hash)
		}
	}
}

// Exchange exchanges a personal token that a client address has sent. It returns personal.ErrInvalid,
// errTokensUnavailable while auth cannot be asked, or a problem of kind rate limited where the address has sent too
// many invalid tokens.
func (k *Keeper) Exchange(ctx context.Context, address, raw string) (*event.ExchangedToken, error) {
	if !personal.HasForm(raw) {
		return nil, personal.ErrInvalid
	}
	hash := personal.HashOf(raw)
	if kept, ok := k.kept.Get(hash); ok {
		if kept == nil {
			return nil, personal.ErrInvalid
		}
		return kept, nil
	}
	if err := k.limits.CheckInvalidTokens(address); err != nil {
		return nil, err
	}
	// The exchange does not end with the request, so that a client that leaves does not escape the limit.
	exchanged, err := eventbus.Call[event.ExchangedToken](
		context.WithoutCancel(ctx), k.nc, event.ExchangeTokenSubject, event.ExchangeToken{Hash: hash[:]})
	switch {
	case errors.Is(err, personal.ErrInvalid):
		k.kept.Add(hash, nil)
		k.limits.InvalidToken(address)
		return nil, personal.ErrInvalid
	case err != nil:
		return nil, errTokensUnavailable.Wrap(err)
	}
	if time.Until(exchanged.ExpiresAt) > keepFor {
		k.kept.Add(hash, &exchanged)
	}
	return &exchanged, nil
}
