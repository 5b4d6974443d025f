// Package npm installs npm packages that are pinned somewhere in the source tree, for development and tests.
package npm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrAbsent means that npm is not installed.
var ErrAbsent = errors.New("npm is needed and is not on the PATH: install Node.js 20 or newer")

// tries is how often npm is run before its failure counts; the pause between grows with each.
const tries = 4

// Install runs npm ci in a folder, with copies of the manifest and the lock in source, which leaves the
// source tree as it is. It succeeds when the wanted path is there: npm itself does not fail for an
// optional package that it cannot fetch. No package's install script is run. Returns ErrAbsent.
func Install(ctx context.Context, source, folder, wanted string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return ErrAbsent
	}
	for _, file := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join(source, file))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
			return err
		}
	}
	var output []byte
	for try := range tries {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try*try) * time.Second):
		}
		command := exec.CommandContext(ctx, npm, "ci", "--include=optional", "--ignore-scripts",
			"--no-audit", "--no-fund", "--loglevel=error")
		command.Dir = folder
		if output, err = command.CombinedOutput(); err == nil {
			if _, err = os.Stat(wanted); err == nil {
				return nil
			}
		}
	}
	return fmt.Errorf("npm ci failed %d times: %w\n%s", tries, err, strings.TrimSpace(string(output)))
}
