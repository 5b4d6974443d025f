//go:build !linux

package stack

import "syscall"

// attributes are none: only Linux ends a program together with its starter.
func attributes() *syscall.SysProcAttr { return nil }
