//go:build !linux

package supervise

import "syscall"

// attributes put a program into a process group of its own, where the terminal's Ctrl-C does not reach it before
// Stop does.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
