// Package checkout finds the source tree that a development program or a test runs in.
package checkout

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
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

// Cache is the folder, in the user's cache folder, for what is fetched or built once per user.
func Cache() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "capzone")
	return folder, os.MkdirAll(folder, 0o755)
}

// Lock waits for a lock that all processes of this user share: a file, which is made where absent.
func Lock(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil // closing gives the lock up
}

// Once makes a file or a folder that all processes of this user share, unless it is there. One of several
// processes at once makes it: create gets an empty folder, and returns the path in it that becomes target.
func Once(target string, create func(scratch string) (made string, err error)) error {
	unlock, err := Lock(target + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(target); err == nil {
		return nil
	}
	scratch, err := os.MkdirTemp(filepath.Dir(target), "install-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	made, err := create(scratch)
	if err != nil {
		return err
	}
	return os.Rename(made, target)
}
