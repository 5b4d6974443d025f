// Command stub stands in for a program of the stack in tests: it answers on both addresses and keeps a
// diary of its life in the file of STUB_DIARY.
package main

import (
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
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
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /metrics", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /environment", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, strings.Join(os.Environ(), "\n"))
	})
	for _, address := range []string{os.Getenv("HTTP_ADDR"), os.Getenv("OPS_ADDR")} {
		go func() {
			fmt.Fprintln(os.Stderr, http.ListenAndServe(address, mux))
			os.Exit(1)
		}()
	}
	write("started " + os.Getenv("STUB_NAME"))
	<-terminated
	write("stopped " + os.Getenv("STUB_NAME"))
}

func write(line string) {
	file, err := os.OpenFile(os.Getenv("STUB_DIARY"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	fmt.Fprintln(file, line)
}
