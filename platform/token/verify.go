package token

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	"golang.org/x/time/rate"
)

const (
	// keysRefresh is how often the published keys are read again.
	keysRefresh = 5 * time.Minute
	// unknownKeyRefresh bounds the reads that unknown key ids cause.
	unknownKeyRefresh = 10 * time.Second
	// keysTimeout ends one read of the published keys.
	keysTimeout = 3 * time.Second
)

// verifier verifies tokens with the keys that keys returns.
type verifier struct {
	keys   jwt.Keyfunc
	parser *jwt.Parser
	now    func() time.Time
	cache  claimsCache
}

// NewVerifier returns a verifier with the keys that auth publishes. It reads them periodically
// until ctx ends, from any of the addresses, which are auth's replicas. Where none answers yet,
// Verify returns ErrKeysUnavailable until one does.
func NewVerifier(ctx context.Context, addresses []string, log *slog.Logger) (Verifier, error) {
	published, err := parseReplicas(addresses)
	if err != nil {
		return nil, fmt.Errorf("token keys: %w", err)
	}
	address := published.addresses[0].String()
	storage, err := jwkset.NewStorageFromHTTP(address, jwkset.HTTPClientStorageOptions{
		Client:                    &http.Client{Transport: published},
		Ctx:                       ctx,
		HTTPTimeout:               keysTimeout,
		NoErrorReturnFirstHTTPReq: true,
		RefreshInterval:           keysRefresh,
		RefreshErrorHandler: func(ctx context.Context, err error) {
			log.WarnContext(ctx, "token keys cannot be read", "error", err)
		},
	})
	if err != nil {
		return nil, fmt.Errorf("token keys at %s: %w", address, err)
	}
	client, err := jwkset.NewHTTPClient(jwkset.HTTPClientOptions{
		HTTPURLs:          map[string]jwkset.Storage{address: storage},
		RateLimitWaitMax:  keysTimeout, // of the limiter and the read together
		RefreshUnknownKID: rate.NewLimiter(rate.Every(unknownKeyRefresh), 2),
	})
	if err != nil {
		return nil, fmt.Errorf("token keys at %s: %w", address, err)
	}
	keys, err := keyfunc.New(keyfunc.Options{Ctx: ctx, Storage: client, UseWhitelist: []jwkset.USE{jwkset.UseSig}})
	if err != nil {
		return nil, fmt.Errorf("token keys at %s: %w", address, err)
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
func NewLocalVerifier(s *Signer) Verifier {
	return newVerifier(func(t *jwt.Token) (any, error) {
		for _, k := range s.keys {
			if k.ID == t.Header["kid"] {
				return k.public(), nil
			}
		}
		return nil, errors.New("unknown key id")
	}, s.now)
}

func newVerifier(keys jwt.Keyfunc, now func() time.Time) Verifier {
	return &verifier{keys: keys, now: now, cache: newClaimsCache(), parser: jwt.NewParser(
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

// Verify implements Verifier.
func (v *verifier) Verify(_ context.Context, raw string) (Claims, error) {
	if raw == "" {
		return Claims{}, ErrMissing
	}
	if claims, ok := v.cache.get(raw, v.now()); ok {
		return claims, nil
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
	claims := Claims{PlayerID: c.Subject, Name: c.Name, Roles: c.Roles, ExpiresAt: c.ExpiresAt.Time}
	v.cache.put(raw, claims, v.now())
	return claims, nil
}
