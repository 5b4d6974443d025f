package app

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"capzone.dev/platform/token"
)

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
