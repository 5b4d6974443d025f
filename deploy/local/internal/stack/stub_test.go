package stack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"capzone.dev/platform/httpserve"
)

const (
	stubName    = "STUB_NAME"    // makes the test binary a stub of that name
	stubLog     = "STUB_LOG"     // the file to which stubs append a line when they start and stop
	stubUnready = "STUB_UNREADY" // makes a stub alive and not ready
)

// stub replaces a program of the stack, which answers on both addresses until SIGTERM. The one called provision, and
// one with arguments, as an operator's command has, end by themselves.
func stub(name string) {
	var err error
	switch {
	case len(os.Args) > 1:
		if os.Getenv("DATABASE_URL") == "" {
			err = errors.New("the operator's command has no database")
		}
	case name == "provision":
		err = appendLine(os.Getenv(stubLog), "provisioned")
	default:
		err = serveStub(name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serveStub(name string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if os.Getenv(stubUnready) != "" {
			http.Error(w, "the game is unreachable", http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /metrics", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /environment", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, strings.Join(os.Environ(), "\n"))
	})
	site, err := net.Listen("tcp", os.Getenv("HTTP_ADDR"))
	if os.Getenv("LISTEN_FDS") == "1" {
		site, err = net.FileListener(os.NewFile(3, "site"))
	}
	if err != nil {
		return err
	}
	ops, err := net.Listen("tcp", os.Getenv("OPS_ADDR"))
	if err != nil {
		return err
	}
	if err := appendLine(os.Getenv(stubLog), "started "+name); err != nil {
		return err
	}
	var servers sync.WaitGroup
	for _, listener := range []net.Listener{site, ops} {
		servers.Go(func() { _ = httpserve.Serve(ctx, listener, mux, httpserve.Drain{}, slog.Default()) })
	}
	servers.Wait()
	return appendLine(os.Getenv(stubLog), "stopped "+name)
}

func appendLine(path, line string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, line)
	return errors.Join(err, file.Close())
}
