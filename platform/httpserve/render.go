package httpserve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"mime/multipart"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
)

// Failure is the envelope of every response that is not a success.
type Failure struct {
	Success   bool            `json:"success"`
	Code      string          `json:"code"`
	Message   string          `json:"message"`
	Errors    []problem.Field `json:"errors,omitempty"`
	Data      map[string]any  `json:"data,omitempty"`
	RequestID string          `json:"requestId"`
}

// ErrMalformed refuses a request that cannot be read.
var ErrMalformed = problem.InvalidArgument("malformed_request", "The request cannot be read.")

// StatusClientClosedRequest is the status in logs and metrics of requests whose client closed
// the connection before the response. The number is nginx's.
const StatusClientClosedRequest = 499

// ClientLeft reports whether the client has closed the connection.
func ClientLeft(r *http.Request) bool { return errors.Is(r.Context().Err(), context.Canceled) }

// levels are the log levels of problems that are not the client's fault.
var levels = map[problem.Kind]slog.Level{problem.KindInternal: slog.LevelError, problem.KindUnavailable: slog.LevelWarn}

// Render answers with the envelope of err and aborts the chain of handlers. It reads the rest
// of the request's body first, and logs the error: internal ones as errors, others at the
// level debug.
func Render(c *gin.Context, err error) {
	if ClientLeft(c.Request) {
		c.AbortWithStatus(StatusClientClosedRequest)
		return
	}
	p := problem.From(err)
	level, notable := levels[p.Kind]
	if !notable {
		level = slog.LevelDebug
	}
	ctx := c.Request.Context()
	if x := requestContextOf(ctx); x != nil {
		attributes := []slog.Attr{slog.String("route", c.FullPath()), slog.String("code", p.Code), slog.Any("error", err)}
		var panicked panicError
		if errors.As(err, &panicked) {
			attributes = append(attributes, slog.String("stack", string(panicked.stack)))
		}
		x.log.LogAttrs(ctx, level, "request failed", attributes...)
		x.problems.WithLabelValues(routeOf(c), p.Code).Inc()
	}
	readRest(c)
	WriteProblem(c.Writer, telemetry.RequestID(ctx), p)
	c.Abort()
}

// discardTimeout is how long a refused request may go on sending its body. Then net/http
// closes the connection after the response.
const discardTimeout = time.Second

// readRest reads the rest of a refused request's body, within its limit: a client that is
// still sending may take the connection for broken and not read the response. A client that
// sent "Expect: 100-continue" sends no body unless it is read.
func readRest(c *gin.Context) {
	if c.Request.Body == nil || c.Request.ContentLength == 0 || c.Request.Header.Get("Expect") != "" {
		return
	}
	limitDiscard(c)
	_, _ = io.Copy(io.Discard, c.Request.Body)
}

// DiscardBody leaves the body of a request unread that is refused whatever it holds.
func DiscardBody(c *gin.Context) {
	if c.Request.ContentLength != 0 {
		limitDiscard(c) // net/http reads up to 256 KiB of it
	}
	c.Request.Body = http.NoBody
}

func limitDiscard(c *gin.Context) {
	// The error is for a writer without deadlines, as in tests.
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(discardTimeout))
}

// WriteProblem writes the envelope of p, unless a response has begun.
func WriteProblem(w http.ResponseWriter, requestID string, p *problem.Problem) {
	if began, ok := w.(gin.ResponseWriter); ok && began.Written() {
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Del("Content-Length")
	header.Del("ETag")
	header.Del(SurrogateKeyHeader)
	if p.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	if p.Kind == problem.KindUnauthenticated {
		header.Set("WWW-Authenticate", `Bearer realm="capzone"`)
	}
	failure := Failure{Code: p.Code, Message: p.Message, Errors: p.Fields, Data: p.Data, RequestID: requestID}
	body, err := json.Marshal(failure)
	if err != nil { // Data that cannot be encoded is left out.
		failure.Data = nil
		body, _ = json.Marshal(failure)
	}
	w.WriteHeader(p.Kind.Status())
	_, _ = w.Write(append(body, '\n'))
}

// RenderBody answers a request whose body is not what an operation that needs a token
// expects. A missing token is answered first.
func RenderBody(c *gin.Context, err error) {
	if _, tokenErr := Caller(c.Request.Context()); tokenErr != nil {
		Render(c, tokenErr)
		return
	}
	RenderMalformed(c, err)
}

// RenderMalformed is the RequestErrorHandlerFunc of generated servers, for a body that cannot
// be read.
func RenderMalformed(c *gin.Context, err error) { Render(c, malformed(err)) }

// RenderBinding is the ErrorHandler of generated servers, for a parameter that cannot be read.
// The generated error names it.
func RenderBinding(c *gin.Context, err error, _ int) {
	Render(c, ErrMalformed.WithMessage("%s.", parameterMessage(err)).Wrap(err))
}

// parameterMessage returns the generated sentence ("Invalid format for parameter limit")
// without the inner error, which quotes what was sent.
func parameterMessage(err error) string {
	inner := errors.Unwrap(err)
	message := err.Error()
	if inner != nil && len(inner.Error())+2 < len(message) {
		return message[:len(message)-len(inner.Error())-2]
	}
	return message
}

func malformed(err error) *problem.Problem {
	var tooLarge *http.MaxBytesError
	var p *problem.Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &tooLarge), errors.Is(err, multipart.ErrMessageTooLarge):
		return ErrBodyTooLarge.Wrap(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrMalformed.WithMessage("The request's body is empty or ends too early.").Wrap(err)
	}
	return ErrMalformed.Wrap(err)
}

// panicError is the value and the stack of a handler's panic.
type panicError struct {
	value any
	stack []byte
}

func (e panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }
