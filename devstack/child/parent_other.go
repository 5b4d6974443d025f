//go:build !linux

package child

import "syscall"

// endWithParent has no effect: only Linux can terminate a process when its parent ends.
func endWithParent(*syscall.SysProcAttr) {}
