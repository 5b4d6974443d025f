package lbreplay

import (
	"errors"
	"fmt"
)

// The reasons why a file is invalid, wrapped in an [Error].
var (
	ErrTooLarge      = errors.New("the file is larger than 5 MiB")
	ErrLineTooLong   = errors.New("the line is longer than 4 MiB")
	ErrNotText       = errors.New("the file is not UTF-8 text")
	ErrNotAReplay    = errors.New("the file has none of a replay's labels")
	ErrBadFinishTime = errors.New("the finish time is not a time from 0 to 24 hours")
	ErrTooLong       = errors.New("the value is too long")
	ErrBadMapData    = errors.New("the map data cannot be read")
)

// Error is the reason why a file is invalid, and where.
type Error struct {
	Line int // from 1; 0 where the whole file is at fault
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("lbreplay: %v", e.Err)
	}
	return fmt.Sprintf("lbreplay: line %d: %v", e.Line, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
