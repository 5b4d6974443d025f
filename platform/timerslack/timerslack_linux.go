// Package timerslack lets the threads of a process wake a little late, which is
// much cheaper for programs in Go that have now something to do and now nothing.
package timerslack

import (
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// late is how much later than asked for the kernel may wake a thread.
const late = time.Millisecond

// Relax begins the program anew, in the same process, with threads that the
// kernel may wake a little late. Go's runtime has a thread that looks after the
// others every 20 microseconds while a process has now something to do and now
// nothing, which is a third of what answering a short request costs. How late a
// thread may wake is its own, is handed on to those that it starts, and outlasts
// exec and fork: so a program does it before anything else, and its children have it.
// Where the system does not let it, the program goes on as it is.
func Relax() {
	const slack = int(late)
	if now, err := current(); err != nil || now >= slack {
		return
	}
	program, err := os.Executable()
	if err != nil {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(slack), 0, 0, 0); err != nil {
		return
	}
	// A system that only pretends to set it would never come to an end.
	if now, err := current(); err != nil || now < slack {
		return
	}
	_ = syscall.Exec(program, os.Args, os.Environ())
}

// current is the slack of the present thread, in nanoseconds.
func current() (int, error) { return unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0) }
