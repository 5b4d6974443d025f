// Command demo fills the running site with invented players, maps and records, through its public API. Running it
// again adds nothing. It finds the site that `make up` runs by PORT, or by DATA_DIR (.local).
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"capzone.dev/e2e/internal/fill"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/stack"
)

// demo is the demo's world. Another seed makes other maps under the same ids.
func demo() world.World {
	return world.New(20250104, world.Size{Players: 200, Maps: 66, Foreign: 6, Records: 3000, Drawn: 15, Versions: 3})
}

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
	local, err := findStack()
	if err != nil {
		return err
	}
	began := time.Now()
	r, err := fill.Fill(ctx, local, demo(), func(stage string) { fmt.Println(stage) })
	if err != nil {
		return err
	}
	fmt.Printf("%d players are logged in; %d maps, %d records and %d avatars are new, %d maps and %d records were there."+
		" (%.0f s)\n", r.Players, r.Maps, r.Records, r.Avatars, r.KnownMaps, r.KnownRecords, time.Since(began).Seconds())
	fmt.Println("Look at", local.Site)
	return nil
}

// findStack returns the stack of PORT, of DATA_DIR, or of the default data folder.
func findStack() (stack.Stack, error) {
	if port := os.Getenv("PORT"); port != "" {
		return stack.FindByPort(port)
	}
	return stack.Find(cmp.Or(os.Getenv("DATA_DIR"), ".local"))
}
