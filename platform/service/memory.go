package service

import (
	"os"
	"runtime/debug"
)

const (
	// rareGC is GOGC where nobody sets it. What a process allocates lives for one
	// request, so that there is little to keep, and rare collections save a tenth of
	// its work.
	rareGC = 400
	// memoryLimit is GOMEMLIMIT where nobody sets it, in bytes: it keeps rare
	// collections from making several times of what is kept.
	memoryLimit = 64 << 20
)

// tuneGC has a serving process collect its garbage rarely, unless GOGC and
// GOMEMLIMIT say otherwise.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(rareGC)
	}
	LimitMemory(memoryLimit)
}

// LimitMemory is for a process that keeps much in memory: its collector works the
// harder, the closer it comes to so many bytes. GOMEMLIMIT in the environment wins.
func LimitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}
