package dump

import "capzone.dev/platform/problem"

// The errors of dumps.
var (
	ErrUnknown = problem.NotFound("dump_unknown", "There is no such dump.")
	// ErrExists is returned where the day has a dump.
	ErrExists = problem.Conflict("dump_exists", "There is a dump of this day. The next one can be written tomorrow.")
	// ErrBusy is returned where another process writes a dump.
	ErrBusy = problem.Conflict("dump_busy", "Another process is writing a dump.")
)
