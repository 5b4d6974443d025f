package localpg

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"capzone.dev/devstack/checkout"
)

// rootBase is where a process of root keeps what the unprivileged server must reach.
const rootBase = "/var/lib/capzone"

// baseFolder returns the folder for programs. For root it is one that the server's user can enter.
func baseFolder() (string, error) {
	if asRoot() {
		return rootBase, checkout.OwnFolder(rootBase, 0o755)
	}
	return checkout.Cache()
}

// dataFolder creates the folder for a server's data and returns its path. If this process is root and the
// server's user cannot enter dir (as below /root), the folder is in /var/lib/capzone, and dir becomes a link to it.
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
		return "", fmt.Errorf("%s contains PostgreSQL's data, but the user %s cannot enter it: "+
			"move it elsewhere, or do not run as root", dir, unprivilegedName)
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

// RemoveData removes a server's data, also if dir is only a link to it.
func RemoveData(dir string) error {
	if target, err := os.Readlink(dir); err == nil {
		if err := os.RemoveAll(target); err != nil {
			return err
		}
	}
	return os.RemoveAll(dir)
}

// ownedByServer creates the folder if it is absent, and makes the server's user its owner.
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
	// The server of another user has used the folder before.
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(credential.Uid), int(credential.Gid))
	})
}

// memoryFolder is in memory on Linux. There a test's database is made and removed in a tenth of the time that a disk
// takes, where each table is a file.
const memoryFolder = "/dev/shm"

// memoryNeeded is what must be free there, several times what the databases of all tests use. Containers have 64 MiB
// unless told otherwise.
const memoryNeeded = 4 << 30

// inMemory reports whether memoryFolder has the place for a temporary server.
func inMemory() bool {
	var folder syscall.Statfs_t
	return syscall.Statfs(memoryFolder, &folder) == nil && folder.Bavail*uint64(folder.Bsize) >= memoryNeeded
}

// temporaryFolder creates a folder for a temporary server, in memory where there is room.
func temporaryFolder() (string, error) {
	parent := os.TempDir()
	if inMemory() {
		parent = memoryFolder
	}
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

// unprivilegedName is the user that a process of root runs the server as.
const unprivilegedName = "nobody"

// overflowID is the id of this user on systems that do not name it.
const overflowID = 65534

func asRoot() bool { return os.Geteuid() == 0 }

// unprivileged returns the user that the server runs as, nil for the user of this process.
func unprivileged() *syscall.Credential {
	if !asRoot() {
		return nil
	}
	credential := &syscall.Credential{Uid: overflowID, Gid: overflowID}
	account, err := user.Lookup(unprivilegedName)
	if err != nil {
		return credential
	}
	if id, err := strconv.ParseUint(account.Uid, 10, 32); err == nil {
		credential.Uid = uint32(id)
	}
	if id, err := strconv.ParseUint(account.Gid, 10, 32); err == nil {
		credential.Gid = uint32(id)
	}
	return credential
}
