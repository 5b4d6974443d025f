// Package programs builds the project's programs for tools that start them in development and in tests. Linking
// them all takes half a minute of a processor, so that all tools share what is built, and only what changed is built
// anew.
package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"capzone.dev/devstack/checkout"
)

// folder is the path of all programs from the root of the tree.
const folder = ".tools/programs/"

// Path returns where Build puts the program of a package, of which the last element is enough.
func Path(root, pkg string) string {
	name := path.Base(strings.TrimSuffix(pkg, "/v2")) // as the go command calls it
	return filepath.Join(root, folder, name)
}

// Build builds the programs of packages, no two with the same last element. They are paths from the root of the tree
// ("./bot/cmd/bot") or patterns of import paths ("capzone.dev/services/.../cmd/..."). Go builds only what changed. A
// running program is not disturbed when it is built anew. What the go command says of code that does not compile is in
// the error.
func Build(ctx context.Context, root string, packages ...string) error {
	if err := os.MkdirAll(filepath.Join(root, folder), 0o700); err != nil {
		return fmt.Errorf("build programs: %w", err)
	}
	unlock, err := checkout.Lock(filepath.Join(root, folder) + ".lock")
	if err != nil {
		return fmt.Errorf("build programs: %w", err)
	}
	defer unlock()
	// As the Makefile has it: without version control's stamp, which fails in a tree that
	// another user owns, and without the system's libraries. Without symbols linking takes a quarter less.
	arguments := append([]string{"build", "-buildvcs=false", "-tags=nodynamic,nomsgpack", "-trimpath", "-ldflags=-s", "-o",
		folder}, packages...)
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, strings.TrimSpace(string(output)))
	}
	return nil
}
