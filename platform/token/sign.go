package token

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"
)

// Signer signs access tokens.
type Signer struct {
	keys []Key
	jwks json.RawMessage
	now  func() time.Time
}

// NewSigner returns a signer. The first key signs, all of them are published.
func NewSigner(keys []Key, now func() time.Time) (*Signer, error) {
	if len(keys) == 0 {
		return nil, errors.New("token: there is no signing key")
	}
	var set jwkset.JWKSMarshal
	for _, k := range keys {
		jwk, err := jwkset.NewJWKFromKey(k.public(), jwkset.JWKOptions{
			Metadata: jwkset.JWKMetadataOptions{KID: k.ID, USE: jwkset.UseSig},
		})
		if err != nil {
			return nil, fmt.Errorf("token: %w", err)
		}
		set.Keys = append(set.Keys, jwk.Marshal())
	}
	jwks, err := json.Marshal(set)
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	return &Signer{keys, jwks, now}, nil
}

// Sign returns a token with the claims, valid from now until c.ExpiresAt, or where that is zero for Lifetime.
func (s *Signer) Sign(c Claims) (string, error) {
	now := s.now()
	if c.ExpiresAt.IsZero() {
		c.ExpiresAt = now.Add(Lifetime)
	}
	c.Roles = append([]string{}, c.Roles...) // [] instead of null in JSON
	t := jwt.NewWithClaims(jwt.SigningMethodEdDSA, wireClaims{jwt.RegisteredClaims{
		Issuer: Issuer, Subject: c.PlayerID, IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(c.ExpiresAt),
	}, c})
	t.Header["kid"] = s.keys[0].ID
	signed, err := t.SignedString(s.keys[0].private)
	if err != nil {
		return "", fmt.Errorf("sign access token: %w", err)
	}
	return signed, nil
}

// JWKS returns the public keys as a JSON Web Key Set (RFC 7517, RFC 8037).
func (s *Signer) JWKS() json.RawMessage { return s.jwks }

// Key is a signing key with the id under which it is published.
type Key struct {
	// ID is the RFC 7638 thumbprint of the public key.
	ID      string
	private ed25519.PrivateKey
}

// NewKey returns a new random key.
func NewKey() (Key, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Key{}, fmt.Errorf("signing key: %w", err)
	}
	return keyOf(private), nil
}

// ParseKeys parses PEM blocks of Ed25519 private keys (PKCS#8). The first key signs; the others are
// still accepted, so that keys can be changed without logging players out.
func ParseKeys(pemBytes []byte) ([]Key, error) {
	var keys []Key
	for block, rest := pem.Decode(pemBytes); block != nil; block, rest = pem.Decode(rest) {
		parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("signing key %d is no PKCS#8 private key", len(keys)+1)
		}
		private, ok := parsed.(ed25519.PrivateKey)
		if !ok {
			return nil, fmt.Errorf("signing key %d is no Ed25519 key", len(keys)+1)
		}
		keys = append(keys, keyOf(private))
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no PEM block with a signing key")
	}
	return keys, nil
}

// PEM returns the private key as a PEM block, for the key file.
func (k Key) PEM() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(k.private)
	if err != nil {
		return nil, fmt.Errorf("signing key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

func (k Key) public() ed25519.PublicKey {
	return k.private.Public().(ed25519.PublicKey) //nolint:forcetypeassert // by ed25519's own documentation
}

func keyOf(private ed25519.PrivateKey) Key {
	k := Key{private: private}
	encode := base64.RawURLEncoding.EncodeToString
	// RFC 8037, appendix A.3: the thumbprint's members in this order.
	sum := sha256.Sum256(fmt.Appendf(nil, `{"crv":"Ed25519","kty":"OKP","x":%q}`, encode(k.public())))
	k.ID = encode(sum[:])
	return k
}
