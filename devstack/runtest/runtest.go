// Package runtest helps tests that run a program of the site in their own process.
package runtest

import (
	"context"
	"net"
	"testing"

	"capzone.dev/devstack/httpget"
	"capzone.dev/devstack/require"
)

// Listen opens a port of this machine for the program, until the test ends.
func Listen(tb testing.TB) net.Listener {
	tb.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = listener.Close() })
	return listener
}

// AwaitAnswer waits until the program answers a request for url with 200. It fails the test if the program ends before,
// with the error that it sends to ended.
func AwaitAnswer(tb testing.TB, url string, ended chan error) {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	defer cancel()
	answered := make(chan error, 1)
	go func() {
		_, err := httpget.Body(ctx, url)
		answered <- err
	}()
	select {
	case err := <-answered:
		require.NoError(tb, err)
	case err := <-ended:
		ended <- nil
		tb.Fatalf("the program did not start: %v", err)
	}
}
