package localpg

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// unprivilegedName is the user that a process of root runs the server as.
const unprivilegedName = "nobody"

// overflowID is nobody's number on systems that do not name one.
const overflowID = 65534

func asRoot() bool { return os.Geteuid() == 0 }

// unprivileged is who the server runs as when this process is root's; nil means: as this process.
func unprivileged() *syscall.Credential {
	if !asRoot() {
		return nil
	}
	credential := &syscall.Credential{Uid: overflowID, Gid: overflowID}
	nobody, err := user.Lookup(unprivilegedName)
	if err != nil {
		return credential
	}
	if id, err := strconv.ParseUint(nobody.Uid, 10, 32); err == nil {
		credential.Uid = uint32(id)
	}
	if id, err := strconv.ParseUint(nobody.Gid, 10, 32); err == nil {
		credential.Gid = uint32(id)
	}
	return credential
}
