package stack

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"
	"time"

	"capzone.dev/devstack/programs"
)

// program is where the program of a package is built to.
func (s *Stack) program(pkg string) string { return s.file("bin/" + path.Base(pkg)) }

// buildTries is how often a build whose modules could not be fetched is tried.
const buildTries = 4

// build compiles every program; Go builds only what changed.
func (s *Stack) build(ctx context.Context) error {
	packages := map[string]string{}
	for _, pkg := range []string{s.streams, s3Package} {
		packages[s.program(pkg)] = pkg
	}
	for _, kind := range s.kinds {
		packages[s.program(kind.Package)] = kind.Package
	}
	for try := 1; ; try++ {
		err := programs.Build(ctx, s.root, packages)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("the go command is needed to build Capzone and is not on the PATH")
		}
		if try == buildTries || !strings.Contains(err.Error(), `Get "http`) {
			return err
		}
		s.console.Say("fetching Go modules failed, trying again")
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try*try) * time.Second):
		}
	}
}

// provision makes the event streams; it ends by itself.
func (s *Stack) provision(ctx context.Context) error {
	command := exec.CommandContext(ctx, s.program(s.streams))
	command.Env = s.environment(map[string]string{"NATS_URL": s.natsURL(provisioner)})
	output, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("provision: %w\n%s", err, strings.TrimSpace(string(output)))
	}
	return nil
}
