package localpg

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"capzone.dev/devstack/checkout"
)

// rootBase is where a process of root keeps what the unprivileged server must reach.
const rootBase = "/var/lib/capzone"

// baseFolder returns the folder for programs. For root it is one that the server's user can enter.
func baseFolder() (string, error) {
	if asRoot() {
		return rootBase, errors.Join(os.MkdirAll(rootBase, 0o755), os.Chmod(rootBase, 0o755))
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
	if credential := unprivileged(); credential != nil {
		return os.Chown(dir, int(credential.Uid), int(credential.Gid))
	}
	return nil
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

// enterable reports whether the server's user may enter a folder, and so pass through all those above it.
func enterable(dir string) bool {
	command := exec.Command("/bin/sh", "-c", `[ -x "$0" ]`, dir) //nolint:noctx // it ends by itself
	command.SysProcAttr = &syscall.SysProcAttr{Credential: unprivileged()}
	return command.Run() == nil
}

func asRoot() bool { return os.Geteuid() == 0 }

// nobody is the user that a process of root runs the server as.
const nobody = 65534

// unprivileged returns the user that the server runs as, nil for the user of this process.
func unprivileged() *syscall.Credential {
	if !asRoot() {
		return nil
	}
	return &syscall.Credential{Uid: nobody, Gid: nobody}
}
