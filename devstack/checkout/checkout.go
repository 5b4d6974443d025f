// Package checkout finds the source tree that a development program or a test runs in.
package checkout

import (
	"errors"
	"os"
	"path/filepath"
)

// ErrNoTree means that neither the working directory nor a folder above it is the project's source tree.
var ErrNoTree = errors.New("no go.work in this folder or above it: run this inside the project's source tree")

// Root is the absolute path of the tree that holds the working directory: the nearest folder with a go.work.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", ErrNoTree
		}
		dir = parent
	}
}
