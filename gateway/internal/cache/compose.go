package cache

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"time"

	"capzone.dev/platform/httpserve"
)

// maxComposed bounds the body of a stored composition, in bytes. A part of the sitemap has about six MiB.
const maxComposed = 8 << 20

// Composition is a response that the gateway makes from responses of services.
type Composition struct {
	Status int
	Header http.Header
	Body   []byte
	// Parts are the responses that it shows. It is purged with each of them, and not fresh for longer than they are.
	Parts []*Response
	// Keys are its surrogate keys besides those of the parts. At least one key is needed for it to be stored.
	Keys []httpserve.SurrogateKey
	// MaxAge is how long it is fresh at most.
	MaxAge time.Duration
}

// Compose returns the response of c, whose header and body it takes over. A response with the status 200 gets an ETag.
// Any other is not stored and has no keys.
func Compose(c Composition) *Response {
	r := &Response{
		Status: c.Status, header: c.Header, body: c.Body, keys: slices.Clone(c.Keys), maxAge: c.MaxAge,
		maxBody: maxComposed,
	}
	for _, part := range c.Parts {
		r.keys = append(r.keys, part.keys...)
		r.maxAge = min(r.maxAge, part.maxAge-time.Since(part.began))
	}
	slices.Sort(r.keys)
	r.keys = slices.Compact(r.keys)
	if c.Status == http.StatusOK {
		sum := sha256.Sum256(c.Body)
		r.etag = `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
		r.header.Set("ETag", r.etag)
	} else {
		// Cache.Get cannot compare a response without keys with a purge, and makes it again after any.
		r.keys, r.maxAge = nil, 0
	}
	r.compressText()
	r.header.Set("Content-Length", strconv.Itoa(len(r.body)))
	return r
}

// Keys returns the surrogate keys, which must not be changed.
func (r *Response) Keys() []httpserve.SurrogateKey { return r.keys }

// Body returns the body, which must not be changed.
func (r *Response) Body() []byte { return r.body }

// Header returns a copy of the header.
func (r *Response) Header() http.Header { return r.header.Clone() }

// ETag returns the entity tag, or "".
func (r *Response) ETag() string { return r.etag }
