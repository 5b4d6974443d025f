package proxy

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	// bodyGrace is how long a client may take before the least rate of bodies applies, and minBodyRate is that rate in
	// bytes a second.
	bodyGrace   = 5 * time.Second
	minBodyRate = 8 << 10
	// maxBodyTime bounds the time for a body of any size.
	maxBodyTime = 60 * time.Second
)

// pacedBody is the body of a client's request, which ends with an error where it arrives at less than minBodyRate.
type pacedBody struct {
	io.ReadCloser
	controller *http.ResponseController
	began      time.Time
	read       atomic.Int64
}

// paceBody has the request's body arrive at a least rate.
func paceBody(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		r.Body = &pacedBody{ReadCloser: r.Body, controller: http.NewResponseController(w), began: time.Now()}
	}
}

// Read implements io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	allowed := min(bodyGrace+time.Duration(b.read.Load())*time.Second/minBodyRate, maxBodyTime)
	if err := b.controller.SetReadDeadline(b.began.Add(allowed)); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	b.read.Add(int64(n))
	if errors.Is(err, io.EOF) {
		// net/http goes on reading, to notice that the client leaves.
		_ = b.controller.SetReadDeadline(time.Time{})
	}
	return n, err
}
