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
	"regexp"
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
	Reason    string          `json:"reason,omitempty"`
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

// levels are the log levels of problems that are not the client's fault.
var levels = map[problem.Kind]slog.Level{problem.KindInternal: slog.LevelError, problem.KindUnavailable: slog.LevelWarn}

// Render answers with the envelope of err and aborts the chain of handlers. It reads the rest of the request's
// body first, and logs the error: internal ones as errors, others at the level debug.
func Render(c *gin.Context, err error) {
	render(c, err, func(p *problem.Problem) {
		WriteProblem(c.Writer, telemetry.RequestID(c.Request.Context()), p)
	})
}

// RenderPage is Render with a page in HTML in place of the envelope.
func RenderPage(c *gin.Context, err error, page func(*problem.Problem) []byte) {
	render(c, err, func(p *problem.Problem) { writeProblem(c.Writer, p, "text/html; charset=utf-8", page(p)) })
}

func render(c *gin.Context, err error, write func(*problem.Problem)) {
	if errors.Is(c.Request.Context().Err(), context.Canceled) { // the client has closed the connection
		c.AbortWithStatus(StatusClientClosedRequest)
		return
	}
	p := problem.From(err)
	if rc := requestContextOf(c.Request.Context()); rc != nil {
		rc.report(c.Request.Context(), routeOf(c), p, err)
	}
	readRest(c)
	write(p)
	c.Abort()
}

// report logs and counts the problem of err.
func (rc *requestContext) report(ctx context.Context, route string, p *problem.Problem, err error) {
	level, notable := levels[p.Kind]
	if !notable {
		level = slog.LevelDebug
	}
	attributes := []slog.Attr{slog.String("route", route), slog.String("code", p.Code), slog.Any("error", err)}
	if panicked, ok := errors.AsType[panicError](err); ok {
		attributes = append(attributes, slog.String("stack", string(panicked.stack)))
	}
	rc.log.LogAttrs(ctx, level, "request failed", attributes...)
	rc.metrics.problems.WithLabelValues(route, p.Code).Inc()
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

// DiscardBody drops the body of a request that is refused without reading it.
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
	failure := Failure{
		Code: p.Code, Reason: p.Reason, Message: p.Message, Errors: p.Fields, Data: p.Data, RequestID: requestID,
	}
	body, err := json.Marshal(failure)
	if err != nil { // Data that cannot be encoded is left out.
		failure.Data = nil
		body, _ = json.Marshal(failure)
	}
	writeProblem(w, p, "application/json; charset=utf-8", append(body, '\n'))
}

func writeProblem(w http.ResponseWriter, p *problem.Problem, contentType string, body []byte) {
	if began, ok := w.(gin.ResponseWriter); ok && began.Written() {
		return
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
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
	if p.Kind == problem.KindOverloaded {
		header.Set(OverloadedHeader, "1")
	}
	w.WriteHeader(p.Kind.Status())
	_, _ = w.Write(body)
}

// RenderMalformed answers a request whose body cannot be read.
func RenderMalformed(c *gin.Context, err error) { Render(c, malformed(err)) }

// RenderBinding is the ErrorHandler of generated servers, for a parameter that cannot be read.
// The generated error names it.
func RenderBinding(c *gin.Context, err error, _ int) {
	message := parameterMessage(err)
	p := ErrMalformed.WithMessage("", message+".").Wrap(err)
	if named := parameterName.FindStringSubmatch(message); named != nil {
		p = p.WithField(named[1], "malformed", message)
	}
	Render(c, p)
}

// parameterName matches the name of a parameter in a generated sentence.
var parameterName = regexp.MustCompile(`^(?:Invalid format for parameter|Query argument) (\w+)`)

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
	var wrongType *json.UnmarshalTypeError
	var p *problem.Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &tooLarge), errors.Is(err, multipart.ErrMessageTooLarge):
		return ErrBodyTooLarge.Wrap(err)
	case errors.As(err, &wrongType) && wrongType.Field != "":
		return ErrMalformed.WithField(wrongType.Field, "wrong_type", "must not be a "+wrongType.Value).Wrap(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrMalformed.WithMessage("body_incomplete", "The request's body is empty or ends too early.").Wrap(err)
	}
	return ErrMalformed.Wrap(err)
}

// panicError is the value and the stack of a handler's panic.
type panicError struct {
	value any
	stack []byte
}

func (e panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }
