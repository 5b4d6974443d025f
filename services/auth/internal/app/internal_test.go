package app

// RunAt is Run with another clock than the machine's.
var RunAt = run
