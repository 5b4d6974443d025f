// Command healthcheck asks a server in its own container whether it is well,
// for images without a shell or curl:
//
//	healthcheck http://127.0.0.1:8222/healthz
//
// The exit code is 0 for an answer of 200 within five seconds, 1 otherwise.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"capzone.dev/platform/httpget"
)

const patience = 5 * time.Second

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: healthcheck URL")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	_, err := httpget.Body(ctx, os.Args[1])
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "healthcheck:", err)
		os.Exit(1)
	}
}
