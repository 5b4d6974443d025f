//go:build !linux

package chaos

import (
	"errors"
	"math"
)

const unlimited = math.MaxUint64

func limitFiles(int, uint64) error {
	return errors.New("another process's files cannot be limited on this system")
}
