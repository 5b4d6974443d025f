// Package problem has the errors that a caller of the API sees: a kind for the transport, a code for programs
// and a sentence for people. A domain declares its problems as values, and a use case adds details to a copy.
// The sentences of all programs are in web/src/locales/server.json, from which the site's translations are made.
package problem

//go:generate go test -count=1 -run ^TestSentences_generated_file$ -update .

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Problem is an error that the caller may see, except for its cause.
type Problem struct {
	Kind Kind `json:"kind"`
	// Code is stable, for programs.
	Code string `json:"code"`
	// Reason names the sentence where a code has several, for translations. It is empty for the code's own.
	Reason string `json:"reason,omitempty"`
	// Message is a sentence for the player.
	Message string `json:"message"`
	// Fields are the invalid fields of the request.
	Fields []Field `json:"errors,omitempty"`
	// Data holds values for programs, such as the _id of the existing entity.
	Data map[string]any `json:"data,omitempty"`
	// RetryAfter is how long to wait before another attempt, 0 if unknown.
	RetryAfter time.Duration `json:"retryAfter,omitempty"`

	cause error
}

// Field describes what is wrong with one field of a request.
type Field struct {
	Field string `json:"field"`
	// Code is stable, for programs.
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Internal is a fault of the server (500). Details belong in the cause.
func Internal(code, message string) *Problem { return newProblem(KindInternal, code, message) }

// InvalidArgument means that a request cannot be read (400).
func InvalidArgument(code, message string) *Problem {
	return newProblem(KindInvalidArgument, code, message)
}

// Unauthenticated means that there is no token, or an invalid one (401).
func Unauthenticated(code, message string) *Problem {
	return newProblem(KindUnauthenticated, code, message)
}

// Forbidden means that the caller lacks the permission (403).
func Forbidden(code, message string) *Problem { return newProblem(KindForbidden, code, message) }

// NotFound means that there is no such entity (404).
func NotFound(code, message string) *Problem { return newProblem(KindNotFound, code, message) }

// MethodNotAllowed means that the path has other methods (405).
func MethodNotAllowed(code, message string) *Problem {
	return newProblem(KindMethodNotAllowed, code, message)
}

// Conflict means that the request contradicts what is stored (409).
func Conflict(code, message string) *Problem { return newProblem(KindConflict, code, message) }

// TooLarge means that there are more bytes than allowed (413).
func TooLarge(code, message string) *Problem { return newProblem(KindTooLarge, code, message) }

// WrongType means that the media type is not accepted (415).
func WrongType(code, message string) *Problem { return newProblem(KindWrongType, code, message) }

// Unprocessable means that a well-formed request breaks a rule (422).
func Unprocessable(code, message string) *Problem {
	return newProblem(KindUnprocessable, code, message)
}

// RateLimited means that a rate limit is reached (429).
func RateLimited(code, message string) *Problem { return newProblem(KindRateLimited, code, message) }

// Unavailable means that the request cannot be served at the moment (503).
func Unavailable(code, message string) *Problem { return newProblem(KindUnavailable, code, message) }

// Overloaded means that a service refuses work for which others wait already (503). It is no fault of the service.
func Overloaded(code, message string) *Problem { return newProblem(KindOverloaded, code, message) }

func newProblem(kind Kind, code, message string) *Problem {
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

// Is reports whether target is a problem of the same code, so that errors.Is
// matches a copy with its declared problem.
func (p *Problem) Is(target error) bool {
	other, ok := target.(*Problem)
	return ok && other.Code == p.Code
}

// WithData returns a copy whose data has value under key. The value takes the place of {key} in the sentences.
func (p *Problem) WithData(key string, value any) *Problem {
	c := *p
	c.Data = maps.Clone(p.Data)
	if c.Data == nil {
		c.Data = map[string]any{}
	}
	c.Data[key] = value
	fill := strings.NewReplacer("{"+key+"}", fmt.Sprint(value)).Replace
	c.Message = fill(p.Message)
	c.Fields = slices.Clone(p.Fields)
	for i := range c.Fields {
		c.Fields[i].Message = fill(c.Fields[i].Message)
	}
	return &c
}

// WithField returns a copy with one more invalid field. The code says what is wrong with it.
func (p *Problem) WithField(field, code, message string) *Problem {
	c := *p
	c.Fields = append(slices.Clip(p.Fields), Field{field, code, message})
	return &c
}

// WithFields returns a copy with the invalid fields.
func (p *Problem) WithFields(fields []Field) *Problem {
	c := *p
	c.Fields = fields
	return &c
}

// About returns a copy whose code and sentence are those of a field, too.
func (p *Problem) About(field string) *Problem {
	return p.WithField(field, cmp.Or(p.Reason, p.Code), p.Message)
}

// WithMessage returns a copy with another sentence and the reason that names it.
func (p *Problem) WithMessage(reason, message string) *Problem {
	c := *p
	c.Reason, c.Message = reason, message
	return &c
}

// WithReason returns a copy with a name for its sentence, where another problem of the same code has another sentence.
func (p *Problem) WithReason(reason string) *Problem { return p.WithMessage(reason, p.Message) }

// Sentence returns a sentence for people that is no problem. Its id names it for translations.
func Sentence(_, text string) string { return text }

// Wrap returns a copy with err as its cause, which is logged and never sent.
func (p *Problem) Wrap(err error) *Problem {
	c := *p
	c.cause = err
	return &c
}

// WithRetryAfter returns a copy with the time to wait before another attempt.
func (p *Problem) WithRetryAfter(d time.Duration) *Problem {
	c := *p
	c.RetryAfter = d
	return &c
}

// mapper is set by RegisterMapper.
var mapper atomic.Pointer[func(error) *Problem]

// RegisterMapper makes From ask mapper for the problem of an error of a library, such as a database driver. The
// mapper returns nil for an error that it does not know. A process registers one when it starts.
func RegisterMapper(m func(error) *Problem) { mapper.Store(&m) }

var (
	errInternal = Internal("internal", "Something went wrong on our side. Please try again later.")
	errTimeout  = Unavailable("timeout", "This took too long. Please try again.").WithRetryAfter(time.Second)
	errCanceled = Unavailable("canceled", "The request was canceled.")
)

// From returns the problem in err's chain. Any other error becomes a cancellation for a canceled context, the problem
// of the registered mapper, a timeout, or else an internal problem, each with err as its cause. From(nil) is nil.
func From(err error) *Problem {
	if err == nil {
		return nil
	}
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	if errors.Is(err, context.Canceled) {
		return errCanceled.Wrap(err)
	}
	if m := mapper.Load(); m != nil {
		if p := (*m)(err); p != nil {
			return p.Wrap(err)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errTimeout.Wrap(err)
	}
	return errInternal.Wrap(err)
}

// IsNotFound reports whether err says that there is no such entity.
func IsNotFound(err error) bool { return err != nil && From(err).Kind == KindNotFound }

// IsPermanent reports whether err is a refusal, which no repetition of the request changes.
func IsPermanent(err error) bool {
	if err == nil {
		return false
	}
	switch From(err).Kind {
	case KindInvalidArgument, KindUnauthenticated, KindForbidden, KindNotFound, KindMethodNotAllowed, KindConflict,
		KindTooLarge, KindWrongType, KindUnprocessable:
		return true
	default:
		return false
	}
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

// Kind is the category of a problem. It decides the HTTP status. The values cross
// process boundaries and must not change.
type Kind string

// The kinds. An unknown kind is treated as KindInternal.
const (
	KindInternal         Kind = "internal"           // a fault of the server
	KindInvalidArgument  Kind = "invalid_argument"   // the request cannot be read
	KindUnauthenticated  Kind = "unauthenticated"    // no token, or an invalid one
	KindForbidden        Kind = "forbidden"          // not allowed to this caller
	KindNotFound         Kind = "not_found"          // no such entity
	KindMethodNotAllowed Kind = "method_not_allowed" // the path has other methods
	KindConflict         Kind = "conflict"           // contradicts what is stored
	KindTooLarge         Kind = "too_large"          // more bytes than allowed
	KindWrongType        Kind = "wrong_type"         // a media type that is not accepted
	KindUnprocessable    Kind = "unprocessable"      // well-formed, but against a rule
	KindRateLimited      Kind = "rate_limited"       // over a rate limit
	KindUnavailable      Kind = "unavailable"        // not possible at the moment
	KindOverloaded       Kind = "overloaded"         // too much to do at the moment
)

var statuses = map[Kind]int{
	KindInvalidArgument:  http.StatusBadRequest,
	KindUnauthenticated:  http.StatusUnauthorized,
	KindForbidden:        http.StatusForbidden,
	KindNotFound:         http.StatusNotFound,
	KindMethodNotAllowed: http.StatusMethodNotAllowed,
	KindConflict:         http.StatusConflict,
	KindTooLarge:         http.StatusRequestEntityTooLarge,
	KindWrongType:        http.StatusUnsupportedMediaType,
	KindUnprocessable:    http.StatusUnprocessableEntity,
	KindRateLimited:      http.StatusTooManyRequests,
	KindUnavailable:      http.StatusServiceUnavailable,
	KindOverloaded:       http.StatusServiceUnavailable,
}

// Status returns the HTTP status of the kind, 500 for an unknown one.
func (k Kind) Status() int { return cmp.Or(statuses[k], http.StatusInternalServerError) }

// FormatSize returns a number of bytes for a message, in whole MB or else in KB.
func FormatSize(bytes int64) string {
	if bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d KB", bytes>>10)
}
