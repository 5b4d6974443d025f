// Package npm installs npm packages that are pinned somewhere in the source tree, for development and tests.
package npm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"capzone.dev/devstack/checkout"
)

// Install installs the packages that source/package-lock.json pins, once for each lock, and returns their folder, which
// is in base. No package's install script is run; prepare, which may be nil, gets the folder instead. An optional
// package that npm cannot fetch, or that is for another system, is missing without an error.
func Install(ctx context.Context, source, base string, prepare func(modules string) error) (modules string, err error) {
	lock, err := os.ReadFile(filepath.Join(source, "package-lock.json"))
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256(lock)
	modules = filepath.Join(base, "npm-"+hex.EncodeToString(digest[:6]))
	return modules, checkout.Once(modules, func(scratch string) (string, error) {
		made := filepath.Join(scratch, "node_modules")
		if err := fetch(ctx, source, scratch); err != nil || prepare == nil {
			return made, err
		}
		return made, prepare(made)
	})
}

// fetch runs npm ci in a folder, with copies of the manifest and the lock in source, which leaves the source tree as it
// is. npm itself tries again where the network fails.
func fetch(ctx context.Context, source, folder string) error {
	for _, file := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join(source, file))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
			return err
		}
	}
	command := exec.CommandContext(ctx, "npm", "ci", "--include=optional", "--ignore-scripts", "--fetch-retries=5",
		"--no-audit", "--no-fund", "--loglevel=error")
	command.Dir = folder
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci, of Node.js 20 or newer: %w\n%s", err, strings.TrimSpace(string(output)))
	}
	return nil
}
