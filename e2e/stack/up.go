package stack

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
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/programs"
)

const (
	upTimeout   = 5 * time.Minute // a first start builds everything
	downTimeout = 45 * time.Second
)

// Running is a stack that this process has started.
type Running struct {
	Stack
	launcher *child.Process
	program  string // the launcher's
	log      string // the file of what it prints
}

// Up starts a stack of its own on a data folder, as `make up` does. Settings are added to the environment, and win
// over it.
func Up(ctx context.Context, dataDir string, settings map[string]string) (*Running, error) {
	root, err := checkout.Root()
	if err != nil {
		return nil, err
	}
	// PostgreSQL, which runs as another user, has its folder in this one.
	if err := os.Chmod(dataDir, 0o711); err != nil {
		return nil, err
	}
	if err := programs.Build(ctx, root, "./deploy/local"); err != nil {
		return nil, err
	}
	launcher := programs.Path(root, "./deploy/local")
	// A stack that was killed left its state behind.
	if err := os.Remove(filepath.Join(dataDir, "stack.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	port, err := freeport.Pick()
	if err != nil {
		return nil, err
	}
	r := &Running{program: launcher, log: filepath.Join(dataDir, "stack.log")}
	log, err := os.Create(r.log)
	if err != nil {
		return nil, err
	}
	environment := append(os.Environ(), "DATA_DIR="+dataDir, "PORT="+strconv.Itoa(port))
	for name, value := range settings {
		environment = append(environment, name+"="+value)
	}
	r.launcher, err = child.Start(ctx, child.Spec{
		Name: "the stack", Program: launcher, Arguments: []string{"up"}, Environment: environment, Dir: root, Log: log,
	})
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	if err := r.awaitReady(ctx, dataDir); err != nil {
		return nil, errors.Join(err, r.Down())
	}
	return r, nil
}

func (r *Running) awaitReady(ctx context.Context, dataDir string) error {
	ctx, cancel := context.WithTimeout(ctx, upTimeout)
	defer cancel()
	for {
		found, err := Find(dataDir)
		if err == nil {
			r.Stack = found
			return nil
		}
		select {
		case <-r.launcher.Done():
			return fmt.Errorf("the stack did not start: %s\n%s", r.launcher.State(), r.Log())
		case <-ctx.Done():
			return fmt.Errorf("the stack is not ready: %w\n%s", errors.Join(err, ctx.Err()), r.Log())
		case <-time.After(pollEvery):
		}
	}
}

const pollEvery = 50 * time.Millisecond

// Down stops the stack. Its error says what went wrong in its life, if anything did.
func (r *Running) Down() error {
	ctx, cancel := context.WithTimeout(context.Background(), downTimeout)
	defer cancel()
	if err := r.launcher.Stop(ctx); err != nil {
		return err
	}
	if state := r.launcher.State(); state != "exit status 0" {
		return fmt.Errorf("the stack: %s", state)
	}
	return nil
}

// Log is what the stack has printed so far.
func (r *Running) Log() string {
	text, err := os.ReadFile(r.log)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}

// Restart restarts processes of the stack as `make restart` does, all services without names, and returns what it
// prints.
func (r *Running) Restart(ctx context.Context, names ...string) (output string, err error) {
	command := exec.CommandContext(ctx, r.program, append([]string{"restart"}, names...)...)
	command.Env = append(os.Environ(), "DATA_DIR="+r.DataDir)
	text, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("restart %s: %w\n%s", strings.Join(names, " "), err, text)
	}
	return string(text), err
}
