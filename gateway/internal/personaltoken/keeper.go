// Package personaltoken lets programs act for players by personal tokens. It exchanges the token of a request at auth
// for an access token with the same scopes, which services know, and keeps that until it expires or auth announces that
// the token is revoked. docs/decisions/0092-personal-tokens.md says why.
package personaltoken

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/nats-io/nats.go"

	"capzone.dev/gateway/internal/limit"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/flight"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/token"
)

const (
	// maxGrants and maxInvalid bound what is kept of tokens.
	maxGrants  = 10_000
	maxInvalid = 10_000
	// keepInvalid is how long a token that auth does not accept is refused without asking again.
	keepInvalid = time.Minute
	// keepRevoked is how long a revocation is remembered, for exchanges that began before it. None takes so long.
	keepRevoked = time.Minute
	// margin is how long before its end an access token is exchanged again, so that it is valid when a service sees it.
	margin = 5 * time.Second
	// turnTimeout is how long a token waits for others of its address to be exchanged.
	turnTimeout = 5 * time.Second
)

// Grant is what a personal token was exchanged for.
type Grant struct {
	TokenID string
	Scopes  []access.Scope

	accessToken       string
	expiresAt         time.Time
	personalExpiresAt time.Time
}

// Keeper keeps the grants of personal tokens. It is safe for concurrent use.
type Keeper struct {
	nc     *nats.Conn
	limits *limit.Limits
	log    *slog.Logger

	turns   limit.Turns // of addresses that have a token looked up
	flights flight.Group[*Grant]
	grants  *expirable.LRU[personal.Hash, *Grant]
	invalid *expirable.LRU[personal.Hash, struct{}]
	// revoked has the ids of tokens that were revoked a short time ago.
	revoked *expirable.LRU[string, struct{}]

	mu sync.Mutex
	// watches are the streams that end when their token is revoked.
	watches map[*watch]struct{}
}

type watch struct {
	tokenID string
	end     context.CancelFunc
}

// NewKeeper returns a keeper that asks auth over NATS, and follows its announcements until the connection is closed.
func NewKeeper(nc *nats.Conn, limits *limit.Limits, log *slog.Logger) (*Keeper, error) {
	k := &Keeper{
		nc: nc, limits: limits, log: log,
		// An access token lives less long than a login's.
		grants:  expirable.NewLRU[personal.Hash, *Grant](maxGrants, nil, token.Lifetime),
		invalid: expirable.NewLRU[personal.Hash, struct{}](maxInvalid, nil, keepInvalid),
		revoked: expirable.NewLRU[string, struct{}](maxGrants, nil, keepRevoked),
		watches: map[*watch]struct{}{},
	}
	// A subscription of its own, so that no other event can hold a revocation up.
	_, err := nc.Subscribe(event.TokenRevokedSubject, func(msg *nats.Msg) {
		id, err := revokedID(msg.Data)
		if err != nil {
			log.Warn("event cannot be read, all tokens are looked up again", "subject", msg.Subject, "error", err)
			k.forgetAll()
			return
		}
		k.forget(id)
	})
	if err != nil {
		return nil, fmt.Errorf("subscribe to %s: %w", event.TokenRevokedSubject, err)
	}
	connected := nc.StatusChanged(nats.CONNECTED)
	go func() {
		for range connected {
			k.forgetAll() // announcements were lost while the connection was
		}
	}()
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

// Exchange returns the grant of a personal token that a client address has sent. It returns personal.ErrInvalid,
// errTokensUnavailable while auth cannot be asked, or a problem of kind rate limited where the address has sent too
// many invalid tokens.
func (k *Keeper) Exchange(ctx context.Context, address, raw string) (*Grant, error) {
	if !personal.HasForm(raw) {
		return nil, personal.ErrInvalid
	}
	hash := personal.HashOf(raw)
	if grant, err := k.lookUp(hash); grant != nil || err != nil {
		return grant, err
	}
	end, err := k.beginTurn(ctx, address)
	if err != nil {
		return nil, err
	}
	defer end()
	if grant, err := k.lookUp(hash); grant != nil || err != nil { // of a request that had its turn before
		return grant, err
	}
	if err := k.limits.CheckInvalidTokens(address); err != nil {
		return nil, err
	}
	// The exchange does not end with the request, so that a client that leaves does not escape the limit.
	grant, joined, err := k.flights.Do(context.WithoutCancel(ctx), string(hash[:]),
		func(ctx context.Context) (*Grant, error) { return k.ask(ctx, hash) })
	if errors.Is(err, personal.ErrInvalid) && !joined {
		k.invalid.Add(hash, struct{}{})
		k.limits.InvalidToken(address)
	}
	if err == nil && k.revoked.Contains(grant.TokenID) {
		return nil, personal.ErrInvalid // revoked since the exchange began
	}
	return grant, err
}

// beginTurn waits until no other token of an address is exchanged. So each invalid one is counted before the next is
// exchanged, and valid ones are not refused, however many are sent at once. It returns errTokensUnavailable where that
// takes too long.
func (k *Keeper) beginTurn(ctx context.Context, address string) (end func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	end, err = k.turns.Begin(waiting, address)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, errTokensUnavailable.Wrap(err)
	}
	return end, nil
}

// lookUp returns a grant that is kept, nil where nothing is known of a token, or personal.ErrInvalid. While the
// connection is lost there is no grant, because revocations would not arrive.
func (k *Keeper) lookUp(hash personal.Hash) (*Grant, error) {
	if k.invalid.Contains(hash) {
		return nil, personal.ErrInvalid
	}
	grant, ok := k.grants.Get(hash)
	if !ok || time.Now().After(grant.expiresAt.Add(-margin)) || !k.nc.IsConnected() {
		return nil, nil //nolint:nilnil // nothing is known
	}
	return grant, nil
}

// ask asks auth for a grant, and keeps it.
func (k *Keeper) ask(ctx context.Context, hash personal.Hash) (*Grant, error) {
	exchanged, err := eventbus.Call[event.ExchangeToken, event.ExchangedToken](ctx, k.nc, event.ExchangeTokenSubject,
		event.ExchangeToken{Hash: hash[:]})
	switch {
	case errors.Is(err, personal.ErrInvalid):
		return nil, personal.ErrInvalid
	case err != nil:
		return nil, errTokensUnavailable.Wrap(err)
	}
	grant := &Grant{
		TokenID: exchanged.TokenID, Scopes: exchanged.Scopes, accessToken: exchanged.AccessToken,
		expiresAt: exchanged.ExpiresAt, personalExpiresAt: exchanged.PersonalExpiresAt,
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.revoked.Contains(grant.TokenID) {
		k.grants.Add(hash, grant)
	}
	return grant, nil
}

// RevokeLeaked has tokens revoked that somebody else may have read.
func (k *Keeper) RevokeLeaked(ctx context.Context, leaked []string) error {
	var request event.RevokeLeaked
	for _, raw := range leaked[:min(len(leaked), event.MaxLeaked)] {
		hash := personal.HashOf(raw)
		if grant, ok := k.grants.Get(hash); ok {
			k.forget(grant.TokenID)
		}
		request.Hashes = append(request.Hashes, hash[:])
	}
	_, err := eventbus.Call[event.RevokeLeaked, struct{}](ctx, k.nc, event.RevokeLeakedSubject, request)
	return err
}

// Watch returns a context that also ends when the token of a grant expires or is revoked. The caller calls end.
func (k *Keeper) Watch(ctx context.Context, grant *Grant) (watched context.Context, end context.CancelFunc) {
	watched, cancel := context.WithDeadline(ctx, grant.personalExpiresAt)
	w := &watch{tokenID: grant.TokenID, end: cancel}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.watches[w] = struct{}{}
	if k.revoked.Contains(grant.TokenID) {
		cancel()
	}
	return watched, func() {
		cancel()
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.watches, w)
	}
}

// forget ends everything that goes on by a token that is revoked.
func (k *Keeper) forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.revoked.Add(id, struct{}{})
	for _, hash := range k.grants.Keys() {
		if grant, ok := k.grants.Peek(hash); ok && grant.TokenID == id {
			k.grants.Remove(hash)
		}
	}
	for w := range k.watches {
		if w.tokenID == id {
			w.end()
		}
	}
}

// forgetAll has every token looked up again, also those of streams, which clients open again.
func (k *Keeper) forgetAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.grants.Purge()
	for w := range k.watches {
		w.end()
	}
}
