package httpserve

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

// addETag adds an ETag to responses to GET and HEAD, and answers 304 where the client has the response.
// Responses with no-store, an ETag or a Content-Length of their own pass as they are.
func addETag(c *gin.Context) {
	if c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead {
		c.Next()
		return
	}
	body, _ := bodies.Get().(*bytes.Buffer)
	buffered := &bufferedWriter{ResponseWriter: c.Writer, body: body}
	c.Writer = buffered
	// Where the handler panics, the buffered response is not sent.
	defer func() {
		c.Writer = buffered.ResponseWriter
		if body.Cap() <= maxPooled {
			body.Reset()
			bodies.Put(body)
		}
	}()
	c.Next()
	buffered.send(c.Request)
}

// bodies are the buffers of responses, of up to maxPooled bytes.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const maxPooled = 64 << 10

// bufferedWriter buffers a response until it is known whether it needs an ETag.
type bufferedWriter struct {
	gin.ResponseWriter
	body      *bytes.Buffer
	streaming bool // the header is sent, and the body is not buffered
}

// streams reports whether the response is sent without buffering.
func (w *bufferedWriter) streams() bool {
	h := w.Header()
	return w.streaming || h.Get("ETag") != "" || h.Get("Content-Length") != "" ||
		w.Status() != http.StatusOK || strings.Contains(h.Get("Cache-Control"), "no-store")
}

func (w *bufferedWriter) Write(b []byte) (int, error) {
	if w.body.Len() == 0 && w.streams() {
		w.streaming = true
		return w.ResponseWriter.Write(b)
	}
	return w.body.Write(b)
}

func (w *bufferedWriter) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Written reports whether any of the response was written, buffered or sent.
func (w *bufferedWriter) Written() bool { return w.body.Len() > 0 || w.ResponseWriter.Written() }

// Unwrap returns the writer below, for http.ResponseController.
func (w *bufferedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what is buffered, and ends buffering.
func (w *bufferedWriter) Flush() {
	if w.body.Len() > 0 {
		_, _ = w.ResponseWriter.Write(w.body.Bytes())
		w.body.Reset()
	}
	w.streaming = true
	w.ResponseWriter.Flush()
}

func (w *bufferedWriter) send(r *http.Request) {
	if w.body.Len() == 0 {
		return
	}
	sum := sha256.Sum256(w.body.Bytes())
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
	h := w.Header()
	h.Set("ETag", tag)
	if h.Get("Cache-Control") == "" {
		// A browser stores the response, and asks each time whether it is current.
		h.Set("Cache-Control", "no-cache")
	}
	if MatchesETag(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		w.WriteHeaderNow()
		return
	}
	// Without it net/http sends a body longer than its buffer in chunks.
	h.Set("Content-Length", strconv.Itoa(w.body.Len()))
	_, _ = w.ResponseWriter.Write(w.body.Bytes())
}

// MatchesETag reports whether an If-None-Match header contains the tag, by the weak
// comparison of RFC 9110, section 13.1.2.
func MatchesETag(ifNoneMatch, tag string) bool {
	for candidate := range strings.SplitSeq(ifNoneMatch, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == "*" || candidate == tag {
			return true
		}
	}
	return false
}

// AcceptsEncoding reports whether a request's Accept-Encoding names the encoding with a
// quality above zero.
func AcceptsEncoding(r *http.Request, encoding string) bool {
	for field := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, parameter, _ := strings.Cut(field, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		quality, hasQuality := strings.CutPrefix(strings.TrimSpace(parameter), "q=")
		return !hasQuality || strings.Trim(quality, "0.") != ""
	}
	return false
}
