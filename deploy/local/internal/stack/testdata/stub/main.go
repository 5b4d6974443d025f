// Command stub replaces a program of the stack in tests: it answers on both addresses and appends a line to the
// file STUB_LOG when it starts and stops.
package main

import (
	"context"
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

func main() {
	if len(os.Args) > 1 {
		fmt.Println(strings.Join(os.Args[1:], " "), "with", os.Getenv("DATABASE_URL"))
		return
	}
	if os.Getenv("HTTP_ADDR") == "" { // as the provision command, which ends by itself
		write("provisioned")
		return
	}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if os.Getenv("STUB_UNREADY") != "" {
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
	check(err)
	ops, err := net.Listen("tcp", os.Getenv("OPS_ADDR"))
	check(err)
	ctx, stop := context.WithCancel(context.Background())
	var servers sync.WaitGroup
	for _, listener := range []net.Listener{site, ops} {
		servers.Go(func() { check(httpserve.Serve(ctx, listener, mux, httpserve.Drain{}, slog.Default())) })
	}
	write("started " + os.Getenv("STUB_NAME"))
	<-terminated
	stop()
	servers.Wait()
	write("stopped " + os.Getenv("STUB_NAME"))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(line string) {
	file, err := os.OpenFile(os.Getenv("STUB_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	fmt.Fprintln(file, line)
}
