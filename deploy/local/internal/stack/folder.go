package stack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"capzone.dev/devstack/localpg"
)

// lockFolder makes the data folder and keeps every other stack away from it until unlock.
func lockFolder(dataDir string) (unlock func(), err error) {
	if err := os.MkdirAll(dataDir, 0o755); err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	if err := letPass(dataDir); err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	path := filepath.Join(dataDir, "lock")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := os.ReadFile(path)
		_ = file.Close()
		return nil, fmt.Errorf("another stack runs on %s (process %s): stop it, or choose another DATA_DIR", dataDir,
			strings.TrimSpace(string(holder)))
	}
	_ = file.Truncate(0)
	if _, err := fmt.Fprintln(file, os.Getpid()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil // closing gives the lock up
}

// letPass lets the user that PostgreSQL runs as when this process is root's through a temporary data folder, which
// is made private; each thing in it has its own protection. Otherwise the database would lie elsewhere, and
// stay when the temporary folder goes.
func letPass(dataDir string) error {
	if os.Geteuid() != 0 || filepath.Dir(dataDir) != filepath.Clean(os.TempDir()) {
		return nil
	}
	info, err := os.Stat(dataDir)
	if err != nil {
		return err
	}
	return os.Chmod(dataDir, info.Mode().Perm()|0o011)
}

// entries are what a stack keeps in its data folder, besides the database.
var entries = []string{"nats", "s3", "bin", "token-keys.pem", "code-secret", "s3-secret", "postgres.log", stateFile}

const databaseEntry = "postgres"

// Reset forgets everything that a stack keeps in its data folder. It refuses while one runs there, and
// leaves whatever else lies in the folder.
func Reset(dataDir string) error {
	if _, err := os.Stat(dataDir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := lockFolder(dataDir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := localpg.RemoveData(filepath.Join(dataDir, databaseEntry)); err != nil {
		return err
	}
	for _, entry := range append(entries, "lock") {
		if err := os.RemoveAll(filepath.Join(dataDir, entry)); err != nil {
			return err
		}
	}
	if err := os.Remove(dataDir); err != nil && !errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	return nil
}
