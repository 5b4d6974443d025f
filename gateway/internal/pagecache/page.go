package pagecache

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"capzone.dev/platform/httpserve"
)

// Page is an answer of a service, whole and for everybody.
type Page struct {
	Status int
	header []field
	etag   string
	body   []byte
	// tags is what the page shows, empty for one that is not kept.
	tags []string

	// key and links belong to the index.
	key   string
	links []link
	// gone says that the index does not know the page any more, and so no change
	// can drop it: it must not be shown, though the cache may still find it.
	gone atomic.Bool
}

// field is a header field. Its values are shared by all answers, and never changed.
type field struct {
	name   string
	values []string
}

// ofTheExchange is what says something of one exchange and not of the page.
var ofTheExchange = []string{"Connection", "Date", "Keep-Alive", "Transfer-Encoding"}

// maxTags bounds the tags of a page: a list of a hundred maps has three of each.
const maxTags = 512

// NewPage makes a page of an answer, which shows what the tags name. All that is
// given is the page's from then on.
func NewPage(status int, header http.Header, body []byte, tags []string) *Page {
	p := &Page{Status: status, body: body, etag: header.Get("ETag")}
	if status == http.StatusOK && mayKeep(header) {
		slices.Sort(tags)
		p.tags = slices.Compact(tags)
	}
	for _, name := range ofTheExchange {
		header.Del(name)
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	p.header = make([]field, 0, len(header))
	for name, values := range header {
		p.header = append(p.header, field{name, slices.Clip(values)})
	}
	return p
}

// mayKeep tells that an answer says nothing against being kept.
func mayKeep(header http.Header) bool {
	control := header.Get("Cache-Control")
	return len(header["Set-Cookie"]) == 0 && len(header["Vary"]) == 0 && header.Get("ETag") != "" &&
		!strings.Contains(control, "no-store") && !strings.Contains(control, "private")
}

// kept tells whether the page may be kept.
func (p *Page) kept() bool { return len(p.tags) > 0 && len(p.tags) <= maxTags }

// Serve answers a GET or HEAD with the page, or with 304 who has it.
func (p *Page) Serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for _, f := range p.header {
		header[f.name] = f.values
	}
	if p.Status == http.StatusOK && p.etag != "" && httpserve.MatchesETag(r.Header.Get("If-None-Match"), p.etag) {
		delete(header, "Content-Type")
		delete(header, "Content-Length")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(p.body)
	}
}

const (
	// perPage is about what the cache and its index need for a page of their own, in bytes.
	perPage = 512
	perLink = 64
)

// weigh returns about how many bytes of memory a page takes.
func weigh(key string, p *Page) uint32 {
	size := perPage + len(key) + len(p.body) + len(p.links)*perLink
	for _, f := range p.header {
		size += len(f.name) + 64
		for _, value := range f.values {
			size += len(value)
		}
	}
	return uint32(min(size, 1<<30))
}
