package chaos

import (
	"context"
	"fmt"
	"maps"
	"os"
	"testing"
	"time"

	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
	"capzone.dev/platform/realservers"
)

// replicas are as many as a small deployment has, with three of records.
const replicas = "auth=2 maps=2 players=2 records=3 bot=2"

// drainDelay is long enough for the gateway to notice that a replica stops.
const drainDelay = "2500ms"

// The system under test.
var (
	parts   *outside.Servers
	running *stack.Running
	capzone *site.Site
	town    *community
)

func TestMain(m *testing.M) {
	if os.Getenv("CHAOS") == "" {
		fmt.Println("these tests take minutes: make chaos runs them")
		return
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "capzone-chaos-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	began := time.Now()
	parts, err = outside.Start(ctx, folder, realservers.Wanted())
	if err != nil {
		return 1, err
	}
	defer func() { _ = parts.Stop(ctx) }()
	settings := maps.Clone(parts.Settings())
	settings["REPLICAS"] = replicas
	settings["DRAIN_DELAY"] = drainDelay
	settings["LOG_LEVEL"] = "error"
	if running, err = stack.Up(ctx, folder, settings); err != nil {
		return 1, err
	}
	capzone = site.New(running.Site)
	fmt.Printf("the stack was ready after %.1f s\n", time.Since(began).Seconds())
	if town, err = settle(ctx); err == nil {
		code = m.Run()
	}
	if downErr := running.Down(); err == nil {
		err = downErr
	}
	if code != 0 || err != nil {
		fmt.Printf("what the stack said:\n%s\n", running.Log())
	}
	return code, err
}
