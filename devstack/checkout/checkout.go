// Package checkout finds the source tree that a development program or a test runs in.
package checkout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
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

// Cache is the folder, outside the tree, for what is fetched or built once per user: below the user's cache
// folder, or below the temporary folder where there is none.
func Cache() (string, error) {
	if cache, err := os.UserCacheDir(); err == nil {
		folder := filepath.Join(cache, "capzone")
		if err := OwnFolder(folder, 0o755); err == nil {
			return folder, nil
		}
	}
	folder := filepath.Join(os.TempDir(), "capzone-"+strconv.Itoa(os.Getuid()))
	return folder, OwnFolder(folder, 0o700)
}

// OwnFolder makes a folder for programs to run, and refuses one that belongs to another user.
func OwnFolder(path string, mode fs.FileMode) error {
	if err := os.MkdirAll(path, mode); err != nil {
		return fmt.Errorf("a folder for the local servers' programs: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || (ok && int(owner.Uid) != os.Geteuid()) {
		return fmt.Errorf("%s is not a folder of this user: remove it", path)
	}
	return os.Chmod(path, mode) // MkdirAll obeys the umask
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

// Once makes a file or a folder that all processes of this user share, unless it is there. Of several processes at
// once one makes it: create gets an empty folder, and returns the path in it that becomes target.
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
