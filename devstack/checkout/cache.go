package checkout

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Cache is the folder, outside the tree, for what is fetched or built once per user: below the user's cache
// folder, or for want of one below the temporary folder.
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
