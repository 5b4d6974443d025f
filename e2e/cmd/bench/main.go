// Command bench measures the goals of the design on this machine and prints a table. A whole run writes
// docs/performance.md, which says how it measures.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"capzone.dev/e2e/internal/bench"
)

func main() {
	quick := flag.Bool("quick", false, "few and short rounds, to see that everything works")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := bench.Run(ctx, os.Stdout, *quick)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
