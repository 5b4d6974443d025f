package httpserve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
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
	reportProblem(c, p, err)
	readRest(c)
	write(p)
	c.Abort()
}

// reportProblem logs and counts the problem of err.
func reportProblem(c *gin.Context, p *problem.Problem, err error) {
	if rc := requestContextOf(c.Request.Context()); rc != nil {
		rc.report(c.Request.Context(), routeOf(c), p, err)
	}
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

// CheckSchema checks a JSON text against a schema of a service's contract, which spec returns (the generated
// GetSpec). It returns the fields that are out of their ranges, such as minimum, maximum, maxLength, pattern or
// enum. A text that is no JSON, or has values of other types, is an error; the fields are then those with these values.
func CheckSchema(spec func() (*openapi3.T, error), schema string, text []byte) ([]problem.Field, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8")
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	document, err := spec()
	if err != nil {
		return nil, err
	}
	err = document.Components.Schemas[schema].Value.VisitJSON(value, openapi3.MultiErrors())
	var invalid, wrongType []problem.Field
	for _, mistake := range flatten(err) {
		schemaError, ok := errors.AsType[*openapi3.SchemaError](mistake)
		if !ok || len(schemaError.JSONPointer()) == 0 {
			return nil, mistake
		}
		field := problem.Field{
			Field: strings.Join(schemaError.JSONPointer(), "."), Code: "schema_" + schemaError.SchemaField,
			Message: schemaError.Reason,
		}
		if isRange(schemaError.SchemaField) {
			invalid = append(invalid, field)
		} else {
			wrongType = append(wrongType, field)
		}
	}
	if len(wrongType) > 0 {
		// A field that may be null is reported besides the values in it.
		return slices.DeleteFunc(wrongType, func(outer problem.Field) bool {
			return slices.ContainsFunc(wrongType, func(inner problem.Field) bool {
				return strings.HasPrefix(inner.Field, outer.Field+".")
			})
		}), err
	}
	return invalid, nil
}

// flatten returns the single errors of a result of MultiErrors.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	several, ok := errors.AsType[openapi3.MultiError](err)
	if !ok {
		return []error{err}
	}
	var all []error
	for _, err := range several {
		all = append(all, flatten(err)...)
	}
	return all
}

// isRange reports whether a keyword of JSON Schema limits the values of a type.
func isRange(keyword string) bool {
	switch keyword {
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
		"pattern", "enum", "minItems", "maxItems", "uniqueItems":
		return true
	}
	return false
}

// ErrQueryMalformed refuses a query that cannot be decoded.
var ErrQueryMalformed = problem.InvalidArgument("query_malformed", "The query of the address cannot be read.")

// ReadQuery removes the query parameters without a value from a request: an empty parameter is as good as none. It
// returns ErrQueryMalformed.
func ReadQuery(r *http.Request) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return ErrQueryMalformed.Wrap(err)
	}
	given := len(query)
	maps.DeleteFunc(query, func(_ string, values []string) bool { return strings.Join(values, "") == "" })
	if len(query) < given {
		r.URL.RawQuery = query.Encode()
	}
	return nil
}

func readQuery(c *gin.Context) {
	if err := ReadQuery(c.Request); err != nil {
		Render(c, err)
	}
}

const (
	maxLimit = 100
	// maxPage and maxOffset keep page arithmetic from overflowing.
	maxPage   = 1_000_000
	maxOffset = maxPage * maxLimit
)

// ErrPageInvalid is returned for a page, limit or offset out of range.
var ErrPageInvalid = problem.InvalidArgument("page_invalid", "The page asked for is out of range.")

// PageQuery returns the page (from 1) and the limit (1 to 100) of a list. It returns ErrPageInvalid with the field.
func PageQuery(page, limit *int, defaultLimit int) (number, size int, err error) {
	if number, err = inRange("page", page, 1, 1, maxPage); err != nil {
		return 0, 0, err
	}
	size, err = inRange("limit", limit, defaultLimit, 1, maxLimit)
	return number, size, err
}

// Pagination describes a page of a list with a total. The services' generated types have the same fields.
type Pagination struct {
	Limit, Page  int
	Pages, Total int64
}

// PaginationOf returns the pagination of a page with a total.
func PaginationOf(total int64, page, limit int) Pagination {
	size := int64(limit)
	return Pagination{Total: total, Page: page, Limit: limit, Pages: (total + size - 1) / size}
}

// OffsetQuery returns the offset (from 0) and the limit (1 to 100) of a list. It returns
// ErrPageInvalid with the field.
func OffsetQuery(offset, limit *int, defaultLimit int) (from, size int, err error) {
	if from, err = inRange("offset", offset, 0, 0, maxOffset); err != nil {
		return 0, 0, err
	}
	size, err = inRange("limit", limit, defaultLimit, 1, maxLimit)
	return from, size, err
}

func inRange(field string, value *int, absent, least, most int) (int, error) {
	if value == nil {
		return absent, nil
	}
	if *value < least || *value > most {
		return 0, ErrPageInvalid.WithField(field, "out_of_range", fmt.Sprintf("must be from %d to %d", least, most))
	}
	return *value, nil
}
