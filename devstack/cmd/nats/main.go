// Command nats runs a NATS server with JetStream for a test, which need not link the server. It ends at an interrupt
// or when its standard input ends, and so with the process that started it.
package main

import (
	"flag"
	"fmt"
	"os"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/localnats"
)

func main() {
	port := flag.Int("port", 0, "port of the loopback address")
	dir := flag.String("dir", "", "folder of the streams")
	flag.Parse()
	ctx, stop := child.Context()
	defer stop()
	server, err := localnats.Start(localnats.Options{Dir: *dir, Port: *port})
	if err != nil {
		fmt.Fprintln(os.Stderr, "nats:", err)
		os.Exit(1) //nolint:gocritic // nothing is left to stop
	}
	<-ctx.Done()
	server.Stop()
}
