package upstream

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/valyala/fasthttp"

	"capzone.dev/platform/tracing"
)

const (
	// maxAnswer bounds an answer that is read whole, in bytes. A page of a hundred
	// maps with long descriptions is about as large.
	maxAnswer = 1 << 20
	// maxAnswerHeader leaves room for the tags of such a page.
	maxAnswerHeader = 32 << 10
	// maxConnections bounds those to one replica for answers that are read whole.
	// Who finds none free waits for connectionTimeout.
	maxConnections    = 512
	connectionTimeout = 5 * time.Second
	writeTimeout      = 10 * time.Second
)

// ErrTooLarge says that an answer is too large to be read whole.
var ErrTooLarge = errors.New("the answer is too large to be read whole")

// Answer is an answer that was read whole.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Fetch asks for what is small and the same for everybody. It chooses the replica
// and asks another one as RoundTrip does for what is repeatable, at about half of
// its cost: fasthttp reads and writes on the caller's own goroutine. The end of
// ctx does not end it. Each try is a span of its own. Returns ErrTooLarge.
func (p *Pool) Fetch(ctx context.Context, uri string, header http.Header) (Answer, error) {
	ctx = context.WithoutCancel(ctx)
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(uri)
	path, _, _ := strings.Cut(uri, "?")
	tooLarge := false
	err := p.try(ctx, true, func(t *target) (int, error) {
		_, end := tracing.Exchange(ctx, http.MethodGet, t.address, path, header)
		for name := range header {
			req.Header.Set(name, header.Get(name))
		}
		req.Header.SetHost(t.address)
		t.inFlight.Add(1)
		defer t.inFlight.Add(-1)
		err := t.client.DoTimeout(req, resp, answerTimeout)
		end(resp.StatusCode(), err)
		if tooLarge = errors.Is(err, fasthttp.ErrBodyTooLarge); tooLarge {
			return http.StatusOK, nil // it works well
		}
		return resp.StatusCode(), err
	})
	switch {
	case err != nil:
		return Answer{}, err
	case tooLarge:
		return Answer{}, ErrTooLarge
	}
	a := Answer{Status: resp.StatusCode(), Header: http.Header{}, Body: bytes.Clone(resp.Body())}
	for name, value := range resp.Header.All() {
		a.Header.Add(string(name), string(value))
	}
	return a, nil
}

func newClient(address string) *fasthttp.HostClient {
	dialer := &net.Dialer{Timeout: dialTimeout}
	client := &fasthttp.HostClient{
		Addr:                      address,
		Dial:                      func(address string) (net.Conn, error) { return dialer.Dial("tcp", address) },
		MaxConns:                  maxConnections,
		MaxConnWaitTimeout:        connectionTimeout,
		MaxIdleConnDuration:       idleTimeout,
		ReadTimeout:               answerTimeout,
		WriteTimeout:              writeTimeout,
		MaxResponseBodySize:       maxAnswer,
		ReadBufferSize:            maxAnswerHeader,
		NoDefaultUserAgentHeader:  true,
		DisablePathNormalizing:    true,
		MaxIdemponentCallAttempts: 2,
	}
	// A kept connection that died is noticed when it is used, and then the others
	// are likely dead too: the second attempt gets a new one.
	client.RetryIfErr = func(_ *fasthttp.Request, _ int, err error) (resetTimeout, retry bool) {
		if timedOut(err) {
			return false, false
		}
		client.CloseIdleConnections()
		return false, true
	}
	return client
}
