// Package programs builds the project's programs for tools that start them in development and in tests. Linking
// them all takes half a minute of a processor, so that it is done once for all of them, and anew only for what
// changed.
package programs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"capzone.dev/devstack/checkout"
)

// Build builds programs into files. The map has the package of each file, as a path from the root of the tree
// ("./bot/cmd/bot"); no two packages have the same last element. A program that runs from such a file is not
// disturbed when it is built anew. What the go command says of code that does not compile is in the error.
// In one run of make test-go, in which TEST_RUN is set, a program is built once.
func Build(ctx context.Context, root string, packages map[string]string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return fmt.Errorf("build programs: %w", err)
	}
	folder := filepath.Join(root, ".tools", "programs")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("build programs: %w", err)
	}
	unlock, err := checkout.Lock(folder + ".lock")
	if err != nil {
		return fmt.Errorf("build programs: %w", err)
	}
	defer unlock()
	run := os.Getenv("TEST_RUN")
	missing := slices.DeleteFunc(slices.Sorted(maps.Values(packages)), func(pkg string) bool {
		built, err := os.ReadFile(filepath.Join(folder, programName(pkg)+".run"))
		return err == nil && run != "" && string(built) == run
	})
	if err := build(ctx, root, folder, missing); err != nil {
		return err
	}
	for file, pkg := range packages {
		program := filepath.Join(folder, programName(pkg))
		if err := errors.Join(place(program, file), os.WriteFile(program+".run", []byte(run), 0o600)); err != nil {
			return fmt.Errorf("build programs: %w", err)
		}
	}
	return nil
}

func build(ctx context.Context, root, folder string, packages []string) error {
	if len(packages) == 0 {
		return nil
	}
	// As the Makefile has it: without version control's stamp, which fails in a tree that
	// another user owns, and without the system's libraries. Without symbols linking takes a quarter less.
	arguments := append([]string{"build", "-buildvcs=false", "-tags=nodynamic,nomsgpack", "-trimpath", "-ldflags=-s", "-o",
		folder + "/"}, packages...)
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, strings.TrimSpace(string(output)))
	}
	return nil
}

// programName returns the name that the go command gives to the program of a package.
func programName(pkg string) string { return path.Base(strings.TrimSuffix(pkg, "/v2")) }

// place replaces file by a link to the program, or by a copy where the file system has no links. The go command
// never writes into a program that it has built, so that the file stays as it is.
func place(program, file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	fresh := file + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err := os.Link(program, fresh)
	if errors.Is(err, syscall.EXDEV) || errors.Is(err, syscall.EPERM) {
		var content []byte
		if content, err = os.ReadFile(program); err == nil {
			err = os.WriteFile(fresh, content, 0o700)
		}
	}
	if err != nil {
		return err
	}
	return os.Rename(fresh, file)
}
