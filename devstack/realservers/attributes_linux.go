package realservers

import "syscall"

// attributes put a server into a process group of its own, where the terminal's
// Ctrl-C does not reach it before Stop does, and end it when this process is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
