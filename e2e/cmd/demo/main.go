// Command demo fills the running site with invented players, maps and runs,
// through its public API. Running it again adds nothing.
//
// It finds the site that `make up` runs by PORT, or by DATA_DIR (.local). SITE_URL names
// another site, where no player gets a role.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"

	"capzone.dev/e2e/internal/fill"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// seed makes the demo's world. Another one makes other maps under the same ids.
const seed = 20250104

var size = world.Size{Players: 200, Maps: 66, Foreign: 6, Runs: 3000}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	address := os.Getenv("SITE_URL")
	var operator fill.Operator
	if address == "" {
		local, err := findStack()
		if err != nil {
			return err
		}
		address, operator = local.Site, local
	}
	began := time.Now()
	fmt.Fprintf(os.Stderr, "Filling %s\n", address)
	w := world.New(seed, size)
	bar := newBar(fill.Steps(w))
	result, err := fill.Fill(ctx, fill.Options{
		Site: site.New(address), World: w, Operator: operator,
		Step: func(what string) {
			bar.Describe(fmt.Sprintf("%-8s", what))
			_ = bar.Add(1)
		},
	})
	_ = bar.Exit()
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return err
	}
	report(result, address, time.Since(began))
	return nil
}

// findStack returns the stack of PORT, of DATA_DIR, or of the default data folder.
func findStack() (stack.Stack, error) {
	if port := os.Getenv("PORT"); port != "" {
		return stack.FindByPort(port)
	}
	return stack.Find(cmp.Or(os.Getenv("DATA_DIR"), ".local"))
}

func newBar(steps int) *progressbar.ProgressBar {
	return progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetWidth(40),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
	)
}

func report(r fill.Result, address string, took time.Duration) {
	fmt.Printf("%d players are logged in, %d maps, %d runs and %d avatars were handed in; %d maps and %d runs were there already. (%.0f s)\n",
		r.Players, r.Maps, r.Runs, r.Avatars, r.MapsThere, r.RunsThere, took.Seconds())
	if r.RunsWithoutMap > 0 {
		fmt.Printf("%d runs were left out: their maps need a validator, and only an operator can make one.\n", r.RunsWithoutMap)
	}
	fmt.Printf("Look at %s\n", address)
}
