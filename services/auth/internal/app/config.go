package app

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"time"

	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
)

// Config is the service's environment.
type Config struct {
	service.Config
	service.RedisConfig
	SecretsConfig

	// RoomsPerHour is how many verification rooms a client address may ask for.
	RoomsPerHour int `env:"ROOMS_PER_HOUR" envDefault:"20"`
	// RoomsPerAddress is how many verification rooms a client address may have at once.
	RoomsPerAddress int `env:"ROOMS_PER_ADDRESS" envDefault:"2"`

	// Now is the clock; nil is the machine's.
	Now func() time.Time `env:"-"`
}

// Check returns an error for a number below 1 and for secrets that cannot be read.
func (c Config) Check() error {
	_, err := c.read()
	if c.RoomsPerHour < 1 {
		err = errors.Join(err, fmt.Errorf("ROOMS_PER_HOUR is %d and must be at least 1", c.RoomsPerHour))
	}
	if c.RoomsPerAddress < 1 {
		err = errors.Join(err, fmt.Errorf("ROOMS_PER_ADDRESS is %d and must be at least 1", c.RoomsPerAddress))
	}
	return err
}

// SecretsConfig names the files of the secrets. Containers and supervisors can give a file to one
// process alone.
type SecretsConfig struct {
	// TokenKeysFile has the Ed25519 keys of access tokens (`auth keygen`), one after the other: the
	// first signs, all are published.
	TokenKeysFile string `env:"TOKEN_KEYS_FILE,required,notEmpty"`
	// CodeSecretFile has 32 bytes as hexadecimal digits.
	CodeSecretFile string `env:"CODE_SECRET_FILE,required,notEmpty"`
}

type secrets struct {
	keys []token.Key
	code []byte
}

const codeSecretLength = 32

// read reads both files. Its error names everything that is wrong with them.
func (c SecretsConfig) read() (secrets, error) {
	keys, keysErr := readKeys(c.TokenKeysFile)
	code, codeErr := readCodeSecret(c.CodeSecretFile)
	return secrets{keys, code}, errors.Join(keysErr, codeErr)
}

func readKeys(path string) ([]token.Key, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("TOKEN_KEYS_FILE: %w", err)
	}
	keys, err := token.ParseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("TOKEN_KEYS_FILE %s: %w (make a key with `auth keygen`)", path, err)
	}
	return keys, nil
}

func readCodeSecret(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("CODE_SECRET_FILE: %w", err)
	}
	secret, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(secret) != codeSecretLength {
		return nil, fmt.Errorf("CODE_SECRET_FILE %s must hold %d bytes as %d hexadecimal digits",
			path, codeSecretLength, 2*codeSecretLength)
	}
	return secret, nil
}
