// Command bench measures the running system: it starts a stack of its own,
// fills its databases with a large community, reads pages through the gateway
// at 1 and at 32 connections, and prints a table.
//
// Rates and latencies say something about one machine only; compare the rows of
// one run, not of two machines.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	"capzone.dev/e2e/stack"
)

func main() {
	size := size{}
	flag.IntVar(&size.Players, "players", 100_000, "registered players; each has a run on the first map")
	flag.IntVar(&size.Maps, "maps", 20_000, "maps")
	flag.IntVar(&size.RunsPerMap, "runs", 5, "runs on each further map")
	length := flag.Duration("for", 5*time.Second, "how long each row is measured")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, size, *length)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, size size, length time.Duration) error {
	if err := size.check(); err != nil {
		return err
	}
	dataDir, err := os.MkdirTemp("", "capzone-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dataDir) }()
	fmt.Println("starting a stack")
	running, err := stack.Up(ctx, dataDir, nil)
	if err != nil {
		return err
	}
	defer func() { _ = running.Down() }()

	fmt.Printf("filling it with %d players, %d maps and %d runs\n", size.Players, size.Maps, size.runs())
	community := newCommunity(size)
	if err := community.fill(ctx, running.Stack); err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "read\tconnections\trequests/s\tmedian ms\t99th percentile ms\t")
	for _, read := range community.reads() {
		for _, connections := range []int{1, 32} {
			result, err := measure(ctx, running.Site, read, connections, length)
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%s\t%d\t%.0f\t%.2f\t%.2f\t\n", read.Name, connections, result.perSecond(),
				milliseconds(result.quantile(0.5)), milliseconds(result.quantile(0.99)))
		}
	}
	return table.Flush()
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
