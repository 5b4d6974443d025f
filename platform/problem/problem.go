// Package problem holds the errors that a caller is told about: a kind for the
// transport, a code for programs, a sentence for people. A domain declares its
// problems as values; what a use case knows more is added to a copy.
//
//	var ErrReplayNotYours = problem.Forbidden("replay_not_yours", "This replay was recorded by another player.")
package problem

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Problem is an error that the caller may see, but for its cause.
type Problem struct {
	Kind Kind `json:"kind"`
	// Code is stable, for programs.
	Code string `json:"code"`
	// Message is a sentence for the player.
	Message string `json:"message"`
	// Fields are at fault.
	Fields []Field `json:"errors,omitempty"`
	// Data is what a program needs to go on, such as the _id of what exists.
	Data map[string]any `json:"data,omitempty"`
	// RetryAfter is how long to wait before another try; zero says nothing.
	RetryAfter time.Duration `json:"retryAfter,omitempty"`

	cause error
}

// Field says what is wrong with one field of a request.
type Field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Internal is a fault of ours. Its message is for players; details go into the cause.
func Internal(code, message string) *Problem { return of(KindInternal, code, message) }

// Malformed says that a request cannot be read (400).
func Malformed(code, message string) *Problem { return of(KindMalformed, code, message) }

// Unauthenticated says that there is no token, or none that counts (401).
func Unauthenticated(code, message string) *Problem { return of(KindUnauthenticated, code, message) }

// Forbidden says that this caller may not (403).
func Forbidden(code, message string) *Problem { return of(KindForbidden, code, message) }

// NotFound says that there is no such thing (404).
func NotFound(code, message string) *Problem { return of(KindNotFound, code, message) }

// MethodNotAllowed says that the address knows other methods (405).
func MethodNotAllowed(code, message string) *Problem { return of(KindMethodNotAllowed, code, message) }

// Conflict says that what is there already stands against it (409).
func Conflict(code, message string) *Problem { return of(KindConflict, code, message) }

// TooLarge says that there are more bytes than allowed (413).
func TooLarge(code, message string) *Problem { return of(KindTooLarge, code, message) }

// WrongType says that the type of file is not taken (415).
func WrongType(code, message string) *Problem { return of(KindWrongType, code, message) }

// Refused says that a rule stands against a well-formed request (422).
func Refused(code, message string) *Problem { return of(KindRefused, code, message) }

// TooOften says that a limit is reached (429).
func TooOften(code, message string) *Problem { return of(KindTooOften, code, message) }

// Unavailable says that it cannot be done now (503).
func Unavailable(code, message string) *Problem { return of(KindUnavailable, code, message) }

func of(kind Kind, code, message string) *Problem {
	return &Problem{Kind: kind, Code: code, Message: message}
}

// Error returns the code, the message and the cause, for the log.
func (p *Problem) Error() string {
	if p.cause != nil {
		return fmt.Sprintf("%s: %s (%v)", p.Code, p.Message, p.cause)
	}
	return p.Code + ": " + p.Message
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.cause }

// Is tells whether target is a problem of the same code, so that a copy with
// more data is still the declared problem.
func (p *Problem) Is(target error) bool {
	other, ok := target.(*Problem)
	return ok && other.Code == p.Code
}

// WithData returns a copy that tells programs value under key.
func (p *Problem) WithData(key string, value any) *Problem {
	c := *p
	c.Data = maps.Clone(p.Data)
	if c.Data == nil {
		c.Data = map[string]any{}
	}
	c.Data[key] = value
	return &c
}

// WithField returns a copy that says what is wrong with one more field.
func (p *Problem) WithField(field, message string) *Problem {
	c := *p
	c.Fields = append(slices.Clip(p.Fields), Field{field, message})
	return &c
}

// WithMessage returns a copy with another sentence.
func (p *Problem) WithMessage(format string, args ...any) *Problem {
	c := *p
	c.Message = fmt.Sprintf(format, args...)
	return &c
}

// Because returns a copy with a cause, which is logged and never sent.
func (p *Problem) Because(err error) *Problem {
	c := *p
	c.cause = err
	return &c
}

// After returns a copy that says how long to wait.
func (p *Problem) After(d time.Duration) *Problem {
	c := *p
	c.RetryAfter = d
	return &c
}

var (
	errInternal = Internal("internal", "Something went wrong on our side. Please try again later.")
	errTimeout  = Unavailable("timeout", "This took too long. Please try again.").After(time.Second)
	errCanceled = Unavailable("canceled", "The request was canceled.")
)

// recognisers know the errors of technologies that the process uses.
var recognisers []func(error) *Problem

// Recognise has From ask known about errors that are no problems. It is for the
// init functions of packages that wrap a technology, so that no transport needs
// to know them. The function returns nil for what it does not know.
func Recognise(known func(error) *Problem) { recognisers = append(recognisers, known) }

// Outcome names how something ended, for metrics: success, or the problem's
// code; "canceled" where nobody wanted to know.
func Outcome(err error, success string) string {
	switch {
	case err == nil:
		return success
	case errors.Is(err, context.Canceled):
		return "canceled"
	}
	return From(err).Code
}

// From returns the problem in err's chain. An error that is none becomes what
// it is recognised as, else an internal problem (or one of time, where a
// deadline passed), with err as its cause. It returns nil for nil.
func From(err error) *Problem {
	var p *Problem
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		return p
	case errors.Is(err, context.DeadlineExceeded):
		return errTimeout.Because(err)
	case errors.Is(err, context.Canceled):
		return errCanceled.Because(err)
	}
	for _, known := range recognisers {
		if p := known(err); p != nil {
			return p.Because(err)
		}
	}
	return errInternal.Because(err)
}
