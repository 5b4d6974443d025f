// Package token signs and verifies access tokens: JWTs signed with EdDSA (Ed25519) that name a
// player and the player's roles. The auth service signs them; the others verify them with the
// public keys that it publishes (JWKS).
package token

import (
	"context"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"capzone.dev/platform/problem"
)

// Lifetime is how long an access token is valid.
const Lifetime = 15 * time.Minute

// Issuer is the iss claim of every access token.
const Issuer = "capzone"

// leeway is the accepted difference between the clocks of two machines.
const leeway = 5 * time.Second

// The errors of Verify.
var (
	ErrMissing = problem.Unauthenticated("token_missing", "Please log in first.")
	ErrExpired = problem.Unauthenticated("token_expired", "Your session has expired. Please log in again.")
	ErrInvalid = problem.Unauthenticated("token_invalid", "Your session is not valid. Please log in again.")
	// ErrKeysUnavailable is returned while no keys could be read yet. It is not a 401, which would
	// log players out.
	ErrKeysUnavailable = problem.Unavailable("keys_unavailable",
		"Logins cannot be checked at the moment. Please try again shortly.").WithRetryAfter(2 * time.Second)
)

// Claims are the contents of an access token.
type Claims struct {
	PlayerID  string
	Name      string
	Roles     []string
	ExpiresAt time.Time
}

// Has reports whether the player has one of the roles.
func (c Claims) Has(roles ...string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(c.Roles, role) })
}

// Verifier verifies access tokens.
type Verifier interface {
	// Verify returns the claims of a raw token. It returns ErrMissing for an empty token,
	// ErrExpired, ErrInvalid or ErrKeysUnavailable.
	Verify(ctx context.Context, raw string) (Claims, error)
}

// wireClaims is the token's JSON.
type wireClaims struct {
	jwt.RegisteredClaims
	Name  string   `json:"name"`
	Roles []string `json:"roles"`
}
