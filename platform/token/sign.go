package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Signer signs access tokens.
type Signer struct {
	keys []Key
	now  func() time.Time
}

// NewSigner returns a signer. The first key signs, all of them are published.
func NewSigner(keys []Key, now func() time.Time) (*Signer, error) {
	if len(keys) == 0 {
		return nil, errors.New("token: there is no signing key")
	}
	return &Signer{keys, now}, nil
}

// Sign returns a token with the claims, valid from now for Lifetime. c.ExpiresAt is ignored.
func (s *Signer) Sign(c Claims) (string, error) {
	now := s.now()
	roles := c.Roles
	if roles == nil {
		roles = []string{}
	}
	t := jwt.NewWithClaims(jwt.SigningMethodEdDSA, wireClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    Issuer,
			Subject:   c.PlayerID,
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(Lifetime)),
		},
		Name:  c.Name,
		Roles: roles,
	})
	t.Header["kid"] = s.keys[0].ID
	signed, err := t.SignedString(s.keys[0].private)
	if err != nil {
		return "", fmt.Errorf("sign access token: %w", err)
	}
	return signed, nil
}

// JWKS returns the public keys as a JSON Web Key Set (RFC 7517, RFC 8037).
func (s *Signer) JWKS() json.RawMessage {
	type jwk struct {
		KeyType   string `json:"kty"`
		Curve     string `json:"crv"`
		Use       string `json:"use"`
		Algorithm string `json:"alg"`
		KeyID     string `json:"kid"`
		X         string `json:"x"`
	}
	set := struct {
		Keys []jwk `json:"keys"`
	}{Keys: make([]jwk, 0, len(s.keys))}
	for _, k := range s.keys {
		set.Keys = append(set.Keys, jwk{"OKP", "Ed25519", "sig", jwt.SigningMethodEdDSA.Alg(), k.ID, encode(k.public())})
	}
	body, err := json.Marshal(set)
	if err != nil {
		panic("token: strings cannot be marshalled: " + err.Error())
	}
	return body
}
