package problem

import (
	"context"
	"errors"
	"sync"
	"time"
)

var (
	errInternal = Internal("internal", "Something went wrong on our side. Please try again later.")
	errTimeout  = Unavailable("timeout", "This took too long. Please try again.").WithRetryAfter(time.Second)
	errCanceled = Unavailable("canceled", "The request was canceled.")
)

// Mapper returns the problem for an error of a library, such as a database
// driver, or nil if it does not know the error.
type Mapper func(error) *Problem

var mappers struct {
	sync.RWMutex
	byName map[string]Mapper
}

// RegisterMapper makes From use mapper for errors that are not problems. It is
// called when a process starts. A second mapper of the same name replaces the first.
func RegisterMapper(name string, mapper Mapper) {
	mappers.Lock()
	defer mappers.Unlock()
	if mappers.byName == nil {
		mappers.byName = map[string]Mapper{}
	}
	mappers.byName[name] = mapper
}

func fromUnknown(err error) *Problem {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errTimeout
	case errors.Is(err, context.Canceled):
		return errCanceled
	}
	mappers.RLock()
	defer mappers.RUnlock()
	for _, mapper := range mappers.byName {
		if p := mapper(err); p != nil {
			return p
		}
	}
	return errInternal
}

// Outcome returns the value of a metric's label: success for nil, "canceled" where
// the caller's context was canceled, else the problem's code.
func Outcome(err error, success string) string {
	switch {
	case err == nil:
		return success
	case errors.Is(err, context.Canceled):
		return errCanceled.Code
	}
	return From(err).Code
}
