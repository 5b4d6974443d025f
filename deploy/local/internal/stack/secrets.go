package stack

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"

	"capzone.dev/platform/token"
)

// makeSecrets makes the secrets of the auth service, once per data folder, so that tokens remain valid after a restart.
func (s *Stack) makeSecrets() error {
	key, err := token.NewKey()
	if err != nil {
		return err
	}
	signing, err := key.PEM()
	if err != nil {
		return err
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return errors.Join(
		once(s.file("token-keys.pem"), signing),
		once(s.file("code-secret"), []byte(hex.EncodeToString(secret)+"\n")),
	)
}

// once writes a file that only this user can read, unless it is there.
func once(path string, content []byte) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return writeWhole(path, content)
}

// writeWhole writes a file, for this user alone, so that a reader never sees a part of it.
func writeWhole(path string, content []byte) error {
	passing := path + ".new"
	if err := os.WriteFile(passing, content, 0o600); err != nil {
		return err
	}
	return os.Rename(passing, path)
}
