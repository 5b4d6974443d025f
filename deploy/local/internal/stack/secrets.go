package stack

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"regexp"
	"strings"

	"capzone.dev/platform/token"
)

// makeSecrets makes the secrets of the auth service and of the object storage, once per data folder, so that
// tokens remain valid after a restart.
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

// natsPassword matches the variables with the passwords of NATS users, named as in deploy/nats.
var natsPassword = regexp.MustCompile(`^NATS_([A-Z]+)_PASSWORD$`)

// extractPasswords separates the passwords of NATS from the environment, so that each process gets its own only.
func extractPasswords(environment map[string]string) (rest, passwords map[string]string) {
	rest, passwords = maps.Clone(environment), map[string]string{}
	for name, value := range environment {
		if user := natsPassword.FindStringSubmatch(name); user != nil {
			passwords[strings.ToLower(user[1])] = value
			delete(rest, name)
		}
	}
	return rest, passwords
}

// natsURL returns the URL of NATS for a user, with the password if there is one.
func (s *Stack) natsURL(user string) string {
	password, ok := s.natsPasswords[user]
	address, err := url.Parse(s.servers.NATS)
	if !ok || err != nil {
		return s.servers.NATS
	}
	address.User = url.UserPassword(user, password)
	return address.String()
}
