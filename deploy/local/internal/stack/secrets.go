package stack

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"

	"capzone.dev/platform/token"
)

// makeSecrets makes the secrets of the auth service and of the object storage, once per data folder, so that
// tokens remain valid after a restart.
func (s *Stack) makeSecrets() error {
	return errors.Join(
		once(s.file("token-keys.pem"), newSigningKey),
		once(s.file("code-secret"), newSecret),
		once(s.file("s3-secret"), newSecret),
	)
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

func newSigningKey() ([]byte, error) {
	key, err := token.NewKey()
	if err != nil {
		return nil, err
	}
	return key.PEM()
}

// newSecret returns 32 random bytes as hexadecimal digits.
func newSecret() ([]byte, error) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return []byte(hex.EncodeToString(b[:]) + "\n"), nil
}

// writeWhole writes a file, for this user alone, so that a reader never sees a part of it.
func writeWhole(path string, content []byte) error {
	passing := path + ".new"
	if err := os.WriteFile(passing, content, 0o600); err != nil {
		return err
	}
	return os.Rename(passing, path)
}
