// Package stack finds the local stack that `make up` runs, or starts one, and does what its operator can do: run
// operators' commands, and processes with other settings beside its own.
package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Stack is a running stack, as DATA_DIR/stack.json describes it.
type Stack struct {
	Site      string    `json:"site"`
	DataDir   string    `json:"dataDir"`
	Processes []Process `json:"processes"`
}

// Process is one process of a stack.
type Process struct {
	Name     string            `json:"name"`
	Kind     string            `json:"kind"`
	PID      int               `json:"pid"`
	HTTP     string            `json:"http"`
	Ops      string            `json:"ops"`
	Program  string            `json:"program"`
	Settings map[string]string `json:"settings"`
}

// ErrNotRunning says that no stack is ready on the data folder.
var ErrNotRunning = errors.New("no stack is running there; start one with `make up`")

// Find returns the stack that runs on a data folder, or ErrNotRunning.
func Find(dataDir string) (Stack, error) {
	text, err := os.ReadFile(filepath.Join(dataDir, "stack.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return Stack{}, fmt.Errorf("%s: %w", dataDir, ErrNotRunning)
	}
	if err != nil {
		return Stack{}, err
	}
	var s Stack
	if err := json.Unmarshal(text, &s); err != nil {
		return Stack{}, fmt.Errorf("stack.json: %w", err)
	}
	return s, nil
}

// FindByPort returns the stack whose site has a port, or ErrNotRunning. The launcher writes the stack's data folder
// into the user's cache folder.
func FindByPort(port string) (Stack, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return Stack{}, err
	}
	dataDir, err := os.ReadFile(filepath.Join(cache, "capzone", "ports", filepath.Base(port)))
	if errors.Is(err, fs.ErrNotExist) {
		return Stack{}, fmt.Errorf("port %s: %w", port, ErrNotRunning)
	}
	if err != nil {
		return Stack{}, err
	}
	s, err := Find(strings.TrimSpace(string(dataDir)))
	if err != nil {
		return Stack{}, err
	}
	gateway, err := s.process("gateway")
	if err == nil && !strings.HasSuffix(gateway.HTTP, ":"+port) { // it was killed, and another one took the folder
		err = fmt.Errorf("port %s: %w", port, ErrNotRunning)
	}
	return s, err
}

// Operate runs an operator's command of a service, as in Operate(ctx, "players", "grant", "cloudstep", "admin"), and
// returns what it prints.
func (s Stack) Operate(ctx context.Context, kind string, arguments ...string) (output string, err error) {
	p, err := s.process(kind)
	if err != nil {
		return "", err
	}
	command := s.command(ctx, p, nil, arguments...)
	text, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", kind, strings.Join(arguments, " "), err, text)
	}
	return string(text), err
}

// Database is the address of a service's database, for the role that owns its tables.
func (s Stack) Database(kind string) (url string, err error) {
	p, err := s.process(kind)
	if err != nil {
		return "", err
	}
	if url = p.Settings["MIGRATION_DATABASE_URL"]; url == "" {
		return "", fmt.Errorf("the stack has no database of %s", kind)
	}
	return url, nil
}

func (s Stack) process(kind string) (Process, error) {
	for _, p := range s.Processes {
		if p.Kind == kind {
			return p, nil
		}
	}
	return Process{}, fmt.Errorf("the stack has no process of the kind %q", kind)
}

// command runs the program of a process with its settings, some of them changed.
func (s Stack) command(
	ctx context.Context, p Process, changed map[string]string, arguments ...string,
) *exec.Cmd {
	command := exec.CommandContext(ctx, p.Program, arguments...)
	command.Dir = s.DataDir
	settings := maps.Clone(p.Settings)
	maps.Copy(settings, changed)
	command.Env = slices.DeleteFunc(os.Environ(), isLimit)
	for name, value := range settings {
		command.Env = append(command.Env, name+"="+value)
	}
	return command
}

// isLimit reports whether a variable sets a limit. What runs beside a stack has the limits of a deployment, unless
// the caller names others.
func isLimit(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return strings.HasSuffix(name, "_PER_HOUR") || strings.HasSuffix(name, "_PER_MINUTE")
}
