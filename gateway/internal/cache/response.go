package cache

import (
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"capzone.dev/platform/httpserve"
)

// maxStored bounds the body of a stored response of a service, in bytes.
const maxStored = 1 << 20

// Response is a service's complete response, which is the same for everybody. It is immutable, so that all who asked
// for it share it.
type Response struct {
	Status int

	header       http.Header // its values are shared by all who get the response
	etag         string
	body         []byte
	keys         []httpserve.SurrogateKey
	maxAge       time.Duration
	staleIfError time.Duration
	maxBody      int // of a stored response, in bytes
	// compressed returns the body in gzip. It is nil for a body that is sent as it is.
	compressed func() []byte

	// began is when the fetch began, and beganAfter the number of the last purge before it.
	began      time.Time
	beganAfter uint64
	// checkedAfter is the number of the last purge that is known not to concern the response.
	checkedAfter atomic.Uint64
}

// NewResponse returns a response with the given header and body, both of which it takes over. Surrogate-Key and
// Cache-Control are replaced by what browsers are to see.
func NewResponse(status int, header http.Header, body []byte) *Response {
	r := &Response{Status: status, header: header, etag: header.Get("ETag"), body: body, maxBody: maxStored}
	if status == http.StatusOK && r.etag != "" && len(header["Set-Cookie"]) == 0 && len(header["Vary"]) == 0 {
		for key := range strings.FieldsSeq(header.Get(httpserve.SurrogateKeyHeader)) {
			r.keys = append(r.keys, httpserve.SurrogateKey(key))
		}
		control := header.Get("Cache-Control")
		r.maxAge, r.staleIfError = directive(control, "s-maxage"), directive(control, "stale-if-error")
	}
	StripCacheHeaders(header)
	for _, name := range []string{"Connection", "Date", "Keep-Alive", "Transfer-Encoding"} {
		header.Del(name)
	}
	r.compressText()
	header.Set("Content-Length", strconv.Itoa(len(body)))
	for name, values := range header {
		header[name] = slices.Clip(values) // so that adding a value to one client's header copies them
	}
	return r
}

// StripCacheHeaders removes from a service's response what is for the gateway's cache alone. A browser may store the
// response, and has to ask each time whether it is current.
func StripCacheHeaders(header http.Header) {
	header.Del(httpserve.SurrogateKeyHeader)
	if strings.Contains(header.Get("Cache-Control"), "s-maxage") {
		header.Set("Cache-Control", "no-cache")
	}
}

// directive returns the seconds of a directive of Cache-Control, 0 where it is absent.
func directive(control, name string) time.Duration {
	for part := range strings.SplitSeq(control, ",") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(part), name+"="); ok {
			seconds, _ := strconv.ParseUint(value, 10, 16)
			return time.Duration(seconds) * time.Second
		}
	}
	return 0
}

// storable reports whether the response may be stored.
func (r *Response) storable() bool {
	return len(r.keys) > 0 && r.maxAge > 0 && len(r.body) <= r.maxBody
}

// Serve answers a GET or HEAD request, with 304 where the client has the response. A stale response is marked with
// Age and Warning (RFC 7234, section 5.5.1).
func (r *Response) Serve(w http.ResponseWriter, req *http.Request, stale bool) {
	maps.Copy(w.Header(), r.header)
	r.write(w, req, stale)
}

// ServeVersion is Serve for an address whose response never changes. Clients keep it, unless it is stale.
func (r *Response) ServeVersion(w http.ResponseWriter, req *http.Request, stale bool) {
	maps.Copy(w.Header(), r.header)
	if r.Status == http.StatusOK && !stale {
		w.Header().Set("Cache-Control", "public, max-age=2592000, immutable") // 30 days
	}
	r.write(w, req, stale)
}

func (r *Response) write(w http.ResponseWriter, req *http.Request, stale bool) {
	header := w.Header()
	if stale {
		header.Set("Age", strconv.Itoa(int(time.Since(r.began).Seconds())))
		header.Set("Warning", `110 - "Response is Stale"`)
	}
	compress := r.compressed != nil && httpserve.AcceptsEncoding(req, "gzip")
	if compress && r.etag != "" {
		header.Set("ETag", "W/"+r.etag) // not the same bytes as without compression
	}
	if r.Status == http.StatusOK && r.etag != "" && httpserve.MatchesETag(req.Header.Get("If-None-Match"), r.etag) {
		delete(header, "Content-Type")
		delete(header, "Content-Length")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := r.body
	if compress {
		body = r.compressed()
		header.Set("Content-Encoding", "gzip")
		header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(r.Status)
	if req.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// minCompressed is the size from which a body is compressed, in bytes. A smaller one fits into one packet anyway.
const minCompressed = 1 << 10

// compressText makes the response compressed for clients that accept it, if it is a text of minCompressed or more. It
// is compressed once, when the first of them asks for it. What is in this cache is the same for everybody, so that the
// length of a compressed response tells nothing about what is private.
func (r *Response) compressText() {
	if len(r.body) < minCompressed || !isText(r.header.Get("Content-Type")) {
		return
	}
	r.header.Add("Vary", "Accept-Encoding")
	r.compressed = sync.OnceValue(func() []byte {
		var compressed bytes.Buffer
		w, ok := gzipWriters.Get().(*gzip.Writer)
		if !ok {
			w = gzip.NewWriter(nil)
		}
		defer gzipWriters.Put(w)
		w.Reset(&compressed)
		_, _ = w.Write(r.body) // a buffer takes all
		_ = w.Close()
		return compressed.Bytes()
	})
}

// gzipWriters are used again, because each has about 800 KB of memory.
var gzipWriters sync.Pool

// isText reports whether a content type is one of those that compress well: HTML, JSON, XML and the like.
func isText(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(mediaType, "text/") || strings.HasSuffix(mediaType, "json") ||
		strings.HasSuffix(mediaType, "xml")
}

const (
	// perResponse and perKey are about what a stored response needs besides its bytes.
	perResponse = 512
	perKey      = 64
)

// size returns about how many bytes of memory the response takes under a key.
func (r *Response) size(key string) int64 {
	size := perResponse + len(key) + len(r.body)
	if r.compressed != nil {
		size += len(r.body) / 4 // about what it has when compressed
	}
	for _, k := range r.keys {
		size += perKey + len(k)
	}
	for _, values := range r.header {
		size += perKey + len(strings.Join(values, ""))
	}
	return int64(size)
}
