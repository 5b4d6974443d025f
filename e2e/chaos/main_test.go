// Package chaos tests that the system survives the loss of each of its parts: under a steady load through the
// gateway, parts are killed, stopped, filled up and started again. Then everything that was answered with success
// must be stored once, and every copy must equal its source.
//
// The tests take minutes and run if CHAOS is set, as in `make chaos`.
package chaos

import (
	"context"
	"fmt"
	"os"
	"testing"

	"capzone.dev/e2e/harness"
	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// replicas are as many as a small deployment has, with three of records.
const replicas = "auth=2 maps=2 notifications=2 players=2 records=3 bot=2"

// replicasOfServices are those of them that services have, with the one of moderation.
const replicasOfServices = 12

// drainDelay is long enough for the gateway to notice that a replica stops.
const drainDelay = "2500ms"

// The system under test.
var (
	parts   *outside.Servers
	running *stack.Running
	capzone *site.Site
	users   *community
)

func TestMain(m *testing.M) {
	if os.Getenv("CHAOS") == "" {
		fmt.Println("these tests take minutes: make chaos runs them")
		return
	}
	harness.Main(m, harness.Options{
		Name: "chaos", Outside: true,
		// The files of the day's dump are none of those that are compared.
		Settings: map[string]string{
			"REPLICAS": replicas, "DRAIN_DELAY": drainDelay, "LOG_LEVEL": "error", "DUMP_AT": "off",
		},
		Ready: func(s harness.System) (err error) {
			parts, running, capzone = s.Servers, s.Running, s.Site
			users, err = newCommunity(context.Background())
			return err
		},
	})
}
