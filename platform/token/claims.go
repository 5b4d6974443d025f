// Package token makes and verifies access tokens: JWTs signed with EdDSA
// (Ed25519), which say who the player is and which roles they have, so that a
// service decides about ownership without asking. The auth service signs; the
// others verify with the public keys that it publishes (JWKS).
package token

import (
	"context"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"capzone.dev/platform/problem"
)

// Lifetime is how long an access token counts.
const Lifetime = 15 * time.Minute

// Issuer is the iss claim of every access token.
const Issuer = "capzone"

// leeway is how far the clocks of two machines may differ.
const leeway = 5 * time.Second

// What Verify returns.
var (
	ErrMissing = problem.Unauthenticated("token_missing", "Please log in first.")
	ErrExpired = problem.Unauthenticated("token_expired", "Your session has expired. Please log in again.")
	ErrInvalid = problem.Unauthenticated("token_invalid", "Your session is not valid. Please log in again.")
	// ErrKeysUnavailable says that no keys could be read yet, so that nothing is known
	// of any token. It is no 401, which would log people out.
	ErrKeysUnavailable = problem.Unavailable("keys_unavailable", "Logins cannot be checked at the moment. Please try again shortly.").WithRetryAfter(2 * time.Second)
)

// Claims are what an access token says.
type Claims struct {
	PlayerID  string
	Name      string
	Roles     []string
	ExpiresAt time.Time
}

// Has tells whether the player has any of the roles.
func (c Claims) Has(roles ...string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(c.Roles, role) })
}

// Verifier verifies access tokens.
type Verifier interface {
	// Verify returns what a raw token says, or ErrMissing (it is empty),
	// ErrExpired, ErrInvalid or ErrKeysUnavailable.
	Verify(ctx context.Context, raw string) (Claims, error)
}

// wireClaims is the token's JSON.
type wireClaims struct {
	jwt.RegisteredClaims
	Name  string   `json:"name"`
	Roles []string `json:"roles"`
}
