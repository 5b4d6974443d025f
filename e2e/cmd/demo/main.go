// Command demo fills the running site with invented players, maps and records, through its public API. Running it again
// adds nothing. It finds the site that `make up` runs by PORT, or by DATA_DIR (.local). With LIVE=1 it goes on with a
// new record every LIVE_INTERVAL (5s) until it is interrupted, on a filled site at once.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
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
	interval, err := time.ParseDuration(cmp.Or(os.Getenv("LIVE_INTERVAL"), "5s"))
	if err != nil || interval <= 0 {
		return fmt.Errorf("LIVE_INTERVAL %q is no duration such as 5s", os.Getenv("LIVE_INTERVAL"))
	}
	isLive := os.Getenv("LIVE") == "1"
	if isLive {
		community, found, err := fill.FindCommunity(ctx, local, demo())
		if err != nil {
			return err
		}
		if found {
			goOn(ctx, local.Site, community, interval)
			return nil
		}
	}
	began := time.Now()
	r, err := fill.NewCommunity(ctx, local, demo(), func(stage string) { fmt.Println(stage) })
	if err != nil {
		return err
	}
	fmt.Printf("%d players are logged in; %d maps, %d records and %d avatars are new, %d maps and %d records were there."+
		" (%.0f s)\n", r.Players, r.Maps, r.Records, r.Avatars, r.KnownMaps, r.KnownRecords, time.Since(began).Seconds())
	if err := importMaps(ctx, local); err != nil {
		return err
	}
	fmt.Println("Look at", local.Site)
	if isLive {
		goOn(ctx, local.Site, r, interval)
	}
	return nil
}

//go:embed maps.csv
var maps []byte

// importMaps puts maps on the list of those without a replay.
func importMaps(ctx context.Context, local stack.Stack) error {
	folder, err := os.MkdirTemp("", "demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	file := filepath.Join(folder, "maps.csv")
	if err := os.WriteFile(file, maps, 0o600); err != nil {
		return err
	}
	_, err = local.Operate(ctx, "maps", "import", file)
	return err
}

// goOn has players submit records until ctx ends.
func goOn(ctx context.Context, site string, community fill.Community, interval time.Duration) {
	fmt.Printf("a new record every %s, until Ctrl-C\n", interval)
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0)) //nolint:gosec // nothing secret depends on it
	for tick := time.NewTicker(interval); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		submitted, err := community.SubmitRecord(ctx, random)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil: // the site may be restarted
			fmt.Fprintln(os.Stderr, "demo:", err)
		default:
			fmt.Printf("%s/record/%s, rank %d\n", site, submitted.Record.ID, submitted.Rank)
		}
	}
}

// findStack returns the stack of PORT, of DATA_DIR, or of the default data folder.
func findStack() (stack.Stack, error) {
	if port := os.Getenv("PORT"); port != "" {
		return stack.FindByPort(port)
	}
	return stack.Find(cmp.Or(os.Getenv("DATA_DIR"), ".local"))
}
