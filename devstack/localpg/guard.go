package localpg

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// guard is a shell that stops the server when this process is gone without having done so.
type guard struct {
	command *exec.Cmd
	pipe    io.WriteCloser
}

// The shell reads from a pipe that breaks when this process ends. It waits for the lock file to go rather
// than for the process, which may stay in the list as a zombie where nobody collects orphans.
const guardScript = `
read -r word
[ "$word" = stopped ] && exit 0
kill -INT "$1"
tries=0
while [ -e "$2/postmaster.pid" ] && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
[ -n "$3" ] && rm -rf "$3"
exit 0
`

// watch sets a guard on a server. The folder remove, if any, goes with the server.
func watch(pid int, dir, remove string) (*guard, error) {
	command := exec.Command("/bin/sh", "-c", guardScript, "guard", strconv.Itoa(pid), dir,
		remove) //nolint:noctx // fixed script
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
