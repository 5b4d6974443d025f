package httpget_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"capzone.dev/devstack/httpget"
)

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestBody(t *testing.T) {
	t.Parallel()
	page := strings.Repeat("page ", 1000)
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page) })
	if got, err := httpget.Body(t.Context(), address); err != nil || got != page {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

func TestBody_other_statuses(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNoContent, http.StatusNotFound, http.StatusServiceUnavailable} {
		address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "the database is unavailable"+strings.Repeat(".", 1<<20))
		})
		got, err := httpget.Body(t.Context(), address)
		if err == nil || got != "" {
			t.Fatalf("%d: got %q, %v", status, got, err)
		}
		message := err.Error()
		if !strings.Contains(message, http.StatusText(status)) || !strings.Contains(message, address) ||
			len(message) > 1000 {
			t.Errorf("%d: the error has %d bytes and begins %.100s", status, len(message), message)
		}
		if status != http.StatusNoContent && !strings.Contains(message, "the database is unavailable") {
			t.Errorf("%d: the error lacks the body: %.100s", status, message)
		}
	}
}

func TestBody_canceled(t *testing.T) {
	t.Parallel()
	asked, done := make(chan struct{}), make(chan struct{})
	defer close(done)
	address := serve(t, func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-done
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := httpget.Body(ctx, address); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
