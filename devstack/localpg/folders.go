package localpg

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"capzone.dev/devstack/checkout"
)

// rootBase is where a process of root keeps what the unprivileged server must reach.
const rootBase = "/var/lib/capzone"

// baseFolder is where programs are kept between runs; for root it is a folder that nobody can enter.
func baseFolder() (string, error) {
	if asRoot() {
		return rootBase, checkout.OwnFolder(rootBase, 0o755)
	}
	return checkout.Cache()
}

// dataFolder makes the folder for a server's data and returns where it really lies. For a process of root
// whose data would lie where nobody cannot go (below /root, say), that is a folder in /var/lib/capzone, and
// dir becomes a link to it.
func dataFolder(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	if target, err := os.Readlink(dir); err == nil {
		return target, ownedByServer(target)
	}
	if !asRoot() || enterable(filepath.Dir(dir)) {
		return dir, ownedByServer(dir)
	}
	if _, err := os.Lstat(dir); err == nil {
		return "", fmt.Errorf("%s holds PostgreSQL's data, but lies where the user %s cannot enter: move it elsewhere, or don't run as root", dir, unprivilegedName)
	}
	if _, err := baseFolder(); err != nil {
		return "", err
	}
	digest := sha256.Sum256([]byte(dir))
	target := filepath.Join(rootBase, "data-"+hex.EncodeToString(digest[:6]))
	if err := ownedByServer(target); err != nil {
		return "", err
	}
	return target, os.Symlink(target, dir)
}

// RemoveData forgets a server's data, also where dir is only a link to it.
func RemoveData(dir string) error {
	if target, err := os.Readlink(dir); err == nil {
		if err := os.RemoveAll(target); err != nil {
			return err
		}
	}
	return os.RemoveAll(dir)
}

// ownedByServer makes the folder where absent and gives it to the user that the server runs as.
func ownedByServer(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	credential := unprivileged()
	if credential == nil {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid == credential.Uid {
		return nil
	}
	// A folder that another user's server filled before (somebody ran it without root first).
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(credential.Uid), int(credential.Gid))
	})
}

// temporaryFolder makes a fresh folder for a server that leaves nothing behind.
func temporaryFolder() (string, error) {
	parent := os.TempDir()
	if asRoot() && !enterable(parent) {
		var err error
		if parent, err = baseFolder(); err != nil {
			return "", err
		}
	}
	dir, err := os.MkdirTemp(parent, "capzone-postgres-")
	if err != nil {
		return "", err
	}
	return dir, ownedByServer(dir)
}

// enterable reports whether every user may pass through the folder and all those above it.
func enterable(dir string) bool {
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(resolved)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		parent := filepath.Dir(resolved)
		if parent == resolved {
			return true
		}
		resolved = parent
	}
}
