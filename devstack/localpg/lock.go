package localpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	stopTimeout  = time.Minute
	pollInterval = 10 * time.Millisecond
)

// isReady returns nil if the server's lock file has the status "ready".
func isReady(dir string) error {
	lines, err := readLock(dir)
	// The status is in the 8th line, as of PostgreSQL's utils/pidfile.h.
	if err == nil && (len(lines) < 8 || strings.TrimSpace(lines[7]) != "ready") {
		err = errors.New("the server starts")
	}
	return err
}

// readLock returns the lines of the lock file of a server. The first is the number of its process.
func readLock(dir string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	return strings.Split(string(text), "\n"), err
}

// clearStale removes the lock file of a killed server. A server that still runs on the folder, because its
// starter was killed a moment ago, is stopped. A number that now belongs to another process is ignored.
func clearStale(ctx context.Context, dir string) error {
	lines, err := readLock(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(lines[0])); err == nil && serves(pid, dir) {
		if err := end(ctx, pid, dir); err != nil {
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
		arguments := []string{"-ww", "-o", "command=", "-p", strconv.Itoa(pid)}
		command, err = exec.Command("ps", arguments...).Output() //nolint:noctx // it ends by itself
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
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	for serves(pid, dir) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("a server (process %d) still runs on %s: %w", pid, dir, ctx.Err())
		case <-time.After(pollInterval):
		}
	}
	return nil
}

// guard is a shell process that stops the server when this process has ended without doing so.
type guard struct {
	command *exec.Cmd
	pipe    io.WriteCloser
}

// The shell reads from a pipe that ends with this process. It waits until the lock file is removed, rather
// than for the process, which remains as a zombie where no process collects orphans.
const guardScript = `
read -r word
[ "$word" = stopped ] && exit 0
kill -INT "$1"
tries=0
while [ -e "$2/postmaster.pid" ] && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
[ -n "$3" ] && rm -rf "$3"
exit 0
`

// watch starts the guard of a server. The guard also removes the folder remove, if any.
func watch(pid int, dir, remove string) (*guard, error) {
	arguments := []string{"-c", guardScript, "guard", strconv.Itoa(pid), dir, remove}
	command := exec.Command("/bin/sh", arguments...) //nolint:noctx // it outlives this process
	command.Dir = os.TempDir()
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start PostgreSQL's guard: %w", err)
	}
	return &guard{command, pipe}, nil
}

// dismiss ends the guard when the server has ended.
func (g *guard) dismiss() {
	_, _ = io.WriteString(g.pipe, "stopped\n")
	_ = g.command.Wait()
}
