package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lock is what a running server writes into its data folder.
type lock struct {
	pid   int
	ready bool
}

// Lines of postmaster.pid, from PostgreSQL's utils/pidfile.h.
const (
	lockLinePID    = 0
	lockLineStatus = 7
)

func readLock(dir string) (lock, error) {
	text, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	if err != nil {
		return lock{}, err
	}
	lines := strings.Split(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(lines[lockLinePID]))
	if err != nil {
		return lock{}, fmt.Errorf("postmaster.pid: %w", err)
	}
	return lock{
		pid:   pid,
		ready: len(lines) > lockLineStatus && strings.TrimSpace(lines[lockLineStatus]) == "ready",
	}, nil
}

// clearStale deals with the lock file that a killed server left. A server that still runs on the folder
// (its starter was killed a moment ago) is stopped; a number that by now belongs to some other
// process does not keep the new server from starting.
func clearStale(ctx context.Context, dir string) error {
	left, err := readLock(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && serves(left.pid, dir) {
		if err := end(ctx, left.pid, dir); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(dir, "postmaster.pid")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// serves reports whether the process is a PostgreSQL server on this data folder.
func serves(pid int, dir string) bool {
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil { // no /proc on this system
		command, err = exec.Command("ps", "-ww", "-o", "command=", "-p",
			strconv.Itoa(pid)).Output() //nolint:noctx // a number
		if err != nil {
			return false
		}
	}
	line := strings.ReplaceAll(string(command), "\x00", " ")
	return strings.Contains(line, "postgres") && strings.Contains(line, "-D "+dir+" ")
}

// end stops a server that another process started.
func end(ctx context.Context, pid int, dir string) error {
	if err := syscall.Kill(pid, syscall.SIGINT); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("a server (process %d) that this user cannot stop runs on %s: %w", pid, dir, err)
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for serves(pid, dir) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("a server (process %d) still runs on %s: %w", pid, dir, ctx.Err())
		case <-time.After(pollEvery):
		}
	}
	return nil
}
