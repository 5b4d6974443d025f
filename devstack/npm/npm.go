// Package npm installs npm packages that are pinned somewhere in the source tree, for development and tests.
package npm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"capzone.dev/devstack/checkout"
)

// ErrAbsent means that npm is not installed.
var ErrAbsent = errors.New("npm is needed and is not on the PATH: install Node.js 20 or newer")

// tries is how often npm is run before its failure counts; the pause between grows with each.
const tries = 4

// Install installs the packages that source/package-lock.json pins, once for each lock, and returns their folder, which
// is in base. The wanted path in it must be there, and prepare, which may be nil, gets it: npm itself does not fail for
// an optional package that it cannot fetch, and no package's install script is run. Returns ErrAbsent.
func Install(
	ctx context.Context, source, base, wanted string, prepare func(ctx context.Context, path string) error,
) (modules string, err error) {
	lock, err := os.ReadFile(filepath.Join(source, "package-lock.json"))
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256(lock)
	modules = filepath.Join(base, "npm-"+hex.EncodeToString(digest[:6]))
	return modules, checkout.Once(modules, func(scratch string) (string, error) {
		made := filepath.Join(scratch, "node_modules")
		path := filepath.Join(made, wanted)
		if err := fetch(ctx, source, scratch, path); err != nil {
			return "", err
		}
		if prepare != nil {
			return made, prepare(ctx, path)
		}
		return made, nil
	})
}

// fetch runs npm ci in a folder, with copies of the manifest and the lock in source, which leaves the source tree as it
// is.
func fetch(ctx context.Context, source, folder, wanted string) error {
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
