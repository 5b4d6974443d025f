// Package token signs and verifies access tokens: JWTs signed with EdDSA (Ed25519) that name a player and the
// player's roles. The auth service signs them; the others verify them with the public keys that it publishes (JWKS).
package token

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"capzone.dev/platform/access"
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
	// ErrKeysUnavailable is returned while no keys could be read yet. It is not a 401, which would log players out.
	ErrKeysUnavailable = problem.Unavailable("keys_unavailable",
		"Logins cannot be checked at the moment. Please try again shortly.").WithRetryAfter(2 * time.Second)
)

// Claims are the contents of an access token.
type Claims struct {
	// PlayerID is the subject.
	PlayerID string   `json:"-"`
	Name     string   `json:"name"`
	Roles    []string `json:"roles"`
	// Banned is true where the player was banned when the token was made. It has no roles then.
	Banned bool `json:"banned,omitempty"`
	// SessionID is the id of the session that the token is of, empty for that of a personal token.
	SessionID string `json:"sid,omitempty"`
	// PersonalID is the id of the personal token that the access token was made for, empty for that of a login. Scopes are
	// the personal token's. It has no roles.
	PersonalID string         `json:"personalId,omitempty"`
	Scopes     []access.Scope `json:"scopes,omitempty"`
	ExpiresAt  time.Time      `json:"-"`
}

// Actor returns the player as an actor, with the roles and the scopes of the token.
func (c Claims) Actor() access.Actor {
	return access.Player(c.PlayerID, c.Name, c.Roles).WithToken(c.PersonalID, c.Scopes)
}

// Has reports whether the player has one of the roles.
func (c Claims) Has(roles ...string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(c.Roles, role) })
}

// wireClaims is the token's JSON.
type wireClaims struct {
	jwt.RegisteredClaims
	Claims
}

const (
	// keysRefresh is how often the published keys are read again.
	keysRefresh = 5 * time.Minute
	// unknownKeyRefresh bounds the reads that unknown key ids cause.
	unknownKeyRefresh = 10 * time.Second
	// replicaTimeout bounds the read from one replica of auth, keysTimeout the reads that a token
	// with an unknown key id waits for.
	replicaTimeout = time.Second
	keysTimeout    = 3 * time.Second
)

// Verifier verifies access tokens with the keys that keys returns.
type Verifier struct {
	keys   jwt.Keyfunc
	parser *jwt.Parser
}

// NewVerifier returns a verifier with the keys that auth publishes. It reads them periodically
// until ctx ends, from all addresses, which are auth's replicas. The keys of a replica that does
// not answer remain in use. Until one has answered, Verify returns ErrKeysUnavailable.
func NewVerifier(ctx context.Context, addresses []string, log *slog.Logger) (*Verifier, error) {
	if len(addresses) == 0 {
		return nil, errors.New("token keys: there is no address")
	}
	replicas := map[string]jwkset.Storage{}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("token keys: %q is no http(s)://HOST/PATH", address)
		}
		replicas[address], err = jwkset.NewStorageFromHTTP(address, jwkset.HTTPClientStorageOptions{
			Client:                    &http.Client{Timeout: replicaTimeout},
			Ctx:                       ctx,
			NoErrorReturnFirstHTTPReq: true,
			RefreshInterval:           keysRefresh,
			RefreshErrorHandler: func(ctx context.Context, err error) {
				log.WarnContext(ctx, "token keys cannot be read", "address", address, "error", err)
			},
		})
		if err != nil {
			return nil, fmt.Errorf("token keys at %s: %w", address, err)
		}
	}
	client, err := jwkset.NewHTTPClient(jwkset.HTTPClientOptions{
		HTTPURLs:          replicas,
		RateLimitWaitMax:  keysTimeout, // of the limiter and the reads together
		RefreshUnknownKID: rate.NewLimiter(rate.Every(unknownKeyRefresh), 2),
	})
	if err != nil {
		return nil, fmt.Errorf("token keys: %w", err)
	}
	keys, err := keyfunc.New(keyfunc.Options{Ctx: ctx, Storage: client, UseWhitelist: []jwkset.USE{jwkset.UseSig}})
	if err != nil {
		return nil, fmt.Errorf("token keys: %w", err)
	}
	lookUp := func(t *jwt.Token) (any, error) {
		key, err := keys.Keyfunc(t)
		if err == nil {
			return key, nil
		}
		if known, readErr := client.KeyReadAll(ctx); readErr != nil || len(known) == 0 {
			return nil, ErrKeysUnavailable.Wrap(err)
		}
		return nil, err
	}
	return newVerifier(lookUp, time.Now), nil
}

// NewLocalVerifier returns a verifier with a signer's own keys and clock.
func NewLocalVerifier(s *Signer) *Verifier {
	return newVerifier(func(t *jwt.Token) (any, error) {
		for _, k := range s.keys {
			if k.ID == t.Header["kid"] {
				return k.public(), nil
			}
		}
		return nil, errors.New("unknown key id")
	}, s.now)
}

func newVerifier(keys jwt.Keyfunc, now func() time.Time) *Verifier {
	return &Verifier{keys, jwt.NewParser(
		// Other methods, such as "none" or HMAC with the public key as secret, are refused.
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}),
		jwt.WithIssuer(Issuer),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(leeway),
		jwt.WithTimeFunc(now),
		jwt.WithStrictDecoding(),
	)}
}

// Verify returns the claims of a raw token. It returns ErrMissing for an empty token, ErrExpired, ErrInvalid or
// ErrKeysUnavailable.
func (v *Verifier) Verify(raw string) (Claims, error) {
	if raw == "" {
		return Claims{}, ErrMissing
	}
	var c wireClaims
	_, err := v.parser.ParseWithClaims(raw, &c, v.keys)
	switch {
	case errors.Is(err, jwt.ErrTokenExpired) && !errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return Claims{}, ErrExpired
	case errors.Is(err, ErrKeysUnavailable):
		return Claims{}, ErrKeysUnavailable.Wrap(err)
	case err != nil:
		return Claims{}, ErrInvalid.Wrap(err)
	case uuid.Validate(c.Subject) != nil || c.Name == "":
		return Claims{}, ErrInvalid.Wrap(errors.New("subject or name is missing"))
	}
	c.PlayerID, c.Claims.ExpiresAt = c.Subject, c.RegisteredClaims.ExpiresAt.Time
	return c.Claims, nil
}
