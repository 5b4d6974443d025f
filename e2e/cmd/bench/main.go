// Command bench measures the system on this machine, beside reference servers of
// its own: it starts a stack, with a large community in its databases, and prints a
// table. A whole run writes docs/performance.md, which says what is measured.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"capzone.dev/e2e/internal/bench"
	"capzone.dev/e2e/internal/reference"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	if len(os.Args) == 2 && os.Args[1] == reference.Argument {
		return reference.Serve(ctx, os.Stdin, os.Stdout)
	}
	options := bench.Options{Out: os.Stdout}
	flag.BoolVar(&options.Quick, "quick", false, "few and short rounds, to see that everything works")
	only := flag.String("only", "", "parts to measure: "+strings.Join(bench.Parts(), " "))
	flag.DurationVar(&options.Soak, "soak", 0, "instead, keep the system under load for so long and watch its memory")
	flag.Parse()
	options.Only = strings.FieldsFunc(*only, func(r rune) bool { return r == ' ' || r == ',' })
	return bench.Run(ctx, options)
}
