package chaos

import (
	"math"

	"golang.org/x/sys/unix"
)

const unlimited = math.MaxUint64

// limitFiles bounds the bytes of any file that a process writes from now on.
func limitFiles(pid int, most uint64) error {
	return unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: most, Max: math.MaxUint64}, nil)
}
