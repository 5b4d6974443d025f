package stack

import "syscall"

// attributes end the launcher, and with it the whole stack, when this process is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
