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

// tagAnswers gives answers to GET an ETag and turns those that the client has
// into 304. Answers that are not to be stored, or are streamed (with an ETag or
// a length of their own), pass as they are.
func tagAnswers(c *gin.Context) {
	if c.Request.Method != http.MethodGet {
		c.Next()
		return
	}
	body, _ := bodies.Get().(*bytes.Buffer)
	held := &heldWriter{ResponseWriter: c.Writer, body: body}
	c.Writer = held
	// Also where the handler panics: what was held is not sent then.
	defer func() {
		c.Writer = held.ResponseWriter
		if body.Cap() <= largestKept {
			body.Reset()
			bodies.Put(body)
		}
	}()
	c.Next()
	held.release(c.Request)
}

// bodies are the buffers of answers that are held, of up to largestKept bytes.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const largestKept = 64 << 10

// heldWriter holds an answer back until it is known whether it needs an ETag.
type heldWriter struct {
	gin.ResponseWriter
	body   *bytes.Buffer
	passes bool // headers are out, bytes go through
}

// streams tells whether the answer is to go out as it comes.
func (w *heldWriter) streams() bool {
	h := w.Header()
	return w.passes || h.Get("ETag") != "" || h.Get("Content-Length") != "" ||
		w.Status() != http.StatusOK || strings.Contains(h.Get("Cache-Control"), "no-store")
}

func (w *heldWriter) Write(b []byte) (int, error) {
	if w.body.Len() == 0 && w.streams() {
		w.passes = true
		return w.ResponseWriter.Write(b)
	}
	return w.body.Write(b)
}

func (w *heldWriter) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Written tells whether anything was answered, be it held or sent.
func (w *heldWriter) Written() bool { return w.body.Len() > 0 || w.ResponseWriter.Written() }

// Unwrap returns the writer below, for http.ResponseController.
func (w *heldWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what is held: the handler streams.
func (w *heldWriter) Flush() {
	if w.body.Len() > 0 {
		_, _ = w.ResponseWriter.Write(w.body.Bytes())
		w.body.Reset()
	}
	w.passes = true
	w.ResponseWriter.Flush()
}

func (w *heldWriter) release(r *http.Request) {
	if w.body.Len() == 0 {
		return
	}
	sum := sha256.Sum256(w.body.Bytes())
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
	h := w.Header()
	h.Set("ETag", tag)
	if h.Get("Cache-Control") == "" {
		// Kept by the browser, but asked about each time.
		h.Set("Cache-Control", "no-cache")
	}
	if MatchesETag(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		w.WriteHeaderNow()
		return
	}
	// Else net/http would send what is longer than its buffer in chunks.
	h.Set("Content-Length", strconv.Itoa(w.body.Len()))
	_, _ = w.ResponseWriter.Write(w.body.Bytes())
}

// MatchesETag tells whether an If-None-Match header names the tag (RFC 9110,
// section 13.1.2: weak comparison).
func MatchesETag(ifNoneMatch, tag string) bool {
	for candidate := range strings.SplitSeq(ifNoneMatch, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == "*" || candidate == tag {
			return true
		}
	}
	return false
}
