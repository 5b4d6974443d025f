// Command healthcheck requests a health endpoint of a server in its own container,
// for images without a shell or curl:
//
//	healthcheck http://127.0.0.1:8222/healthz
//
// The exit code is 0 for an answer of 200 within five seconds, 1 otherwise.
package main

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

const timeout = 5 * time.Second

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: healthcheck URL")
		os.Exit(2)
	}
	client := http.Client{Timeout: timeout}
	resp, err := client.Get(os.Args[1]) //nolint:noctx // the client has a timeout
	if err == nil {
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s", os.Args[1], resp.Status)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "healthcheck:", err)
		os.Exit(1)
	}
}
