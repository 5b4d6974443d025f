package stack

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
)

// makeSecrets makes the keys that the auth service signs and seals with and the one of the object storage, once
// per data folder: what was signed with them outlives a restart.
func (s *Stack) makeSecrets() error {
	if err := once(s.file("token-keys.pem"), newSigningKey); err != nil {
		return err
	}
	if err := once(s.file("code-secret"), newSecret); err != nil {
		return err
	}
	return once(s.file("s3-secret"), newSecret)
}

// once writes a file that only this user can read, unless it is there.
func once(path string, content func() ([]byte, error)) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := content()
	if err != nil {
		return err
	}
	return writeWhole(path, text)
}

// newSigningKey is an Ed25519 key as PEM (PKCS #8).
func newSigningKey() ([]byte, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// newSecret is 32 random bytes as hexadecimal digits.
func newSecret() ([]byte, error) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return []byte(hex.EncodeToString(b[:]) + "\n"), nil
}

// writeWhole writes a file, for this user alone, so that nobody ever sees half of it.
func writeWhole(path string, content []byte) error {
	passing := path + ".new"
	if err := os.WriteFile(passing, content, 0o600); err != nil {
		return err
	}
	return os.Rename(passing, path)
}
