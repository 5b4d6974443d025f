package service

import (
	"os"
	"runtime/debug"
)

const (
	// gcPercent is the default of GOGC. Most of what a process allocates lives for one
	// request, so rare collections save work and retain little.
	gcPercent = 400
	// memoryLimit is the default of GOMEMLIMIT in bytes. It bounds the garbage that
	// rare collections leave.
	memoryLimit = 64 << 20
)

// PictureMemory is the limit for LimitMemory of a service that decodes pictures, in
// bytes: one picture at a time takes up to 240 MiB. With a lower limit the collector
// would run all the time while a picture is decoded.
const PictureMemory = 320 << 20

// tuneGC sets gcPercent and memoryLimit unless the environment sets GOGC or GOMEMLIMIT.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	LimitMemory(memoryLimit)
}

// LimitMemory sets the soft memory limit of a process that needs more than the
// default, unless the environment sets GOMEMLIMIT.
func LimitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}
