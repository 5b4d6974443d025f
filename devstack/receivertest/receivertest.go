// Package receivertest has receivers of webhooks.
package receivertest

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"capzone.dev/devstack/eventually"
)

// Receiver is a program on this machine that webhooks are sent to.
type Receiver struct {
	// URL is where it is, without a path.
	URL string

	mu       sync.Mutex
	received []Message
	answer   http.HandlerFunc
}

// Message is what a receiver got.
type Message struct {
	Header http.Header
	Body   string
}

// New starts a receiver that lasts as long as the test. It answers 200.
func New(tb testing.TB) *Receiver {
	tb.Helper()
	r := &Receiver{answer: Status(http.StatusOK)}
	server := httptest.NewTLSServer(r)
	tb.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

// Certificates returns what signs the certificates of all receivers, in PEM form, as WEBHOOK_TEST_CA has it.
func Certificates() []byte {
	server := httptest.NewTLSServer(http.NotFoundHandler()) // all servers of httptest have the same certificate
	defer server.Close()
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// ServeHTTP keeps a message and answers it.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	req.Body = io.NopCloser(bytes.NewReader(body))
	r.mu.Lock()
	r.received = append(r.received, Message{req.Header.Clone(), string(body)})
	answer := r.answer
	r.mu.Unlock()
	answer(w, req)
}

// Answer sets what the receiver answers from now on.
func (r *Receiver) Answer(answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// Hang lets the receiver answer nothing from now on, until the test ends or the sender gives up.
func (r *Receiver) Hang(tb testing.TB) {
	tb.Helper()
	release := make(chan struct{})
	tb.Cleanup(func() { close(release) })
	r.Answer(func(_ http.ResponseWriter, req *http.Request) {
		select {
		case <-req.Context().Done():
		case <-release:
		}
	})
}

// Status answers with a status.
func Status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// Messages returns what was received, in the order of arrival.
func (r *Receiver) Messages() []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.received)
}

// Await waits until so many messages were received, and returns them. It fails the test where there are more.
func (r *Receiver) Await(tb testing.TB, count int) []Message {
	tb.Helper()
	eventually.WaitFor(tb, fmt.Sprint(count, " messages"), func() bool { return len(r.Messages()) >= count })
	got := r.Messages()
	if len(got) != count {
		tb.Fatalf("received %d messages, want %d", len(got), count)
	}
	return got
}
