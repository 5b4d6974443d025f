// Command provision makes the streams and durable consumers of the event
// catalogue on the NATS server at NATS_URL, or brings them up to date.
// NATS_REPLICAS (default 1) is how many servers of a cluster keep each stream.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/caarlos0/env/v11"

	"capzone.dev/platform/eventbus"
)

type config struct {
	NATSURL  string        `env:"NATS_URL,required,notEmpty"`
	Replicas int           `env:"NATS_REPLICAS" envDefault:"1"`
	Timeout  time.Duration `env:"PROVISION_TIMEOUT" envDefault:"30s"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "provision:", err)
		os.Exit(1)
	}
}

func run() error {
	var cfg config
	if err := env.Parse(&cfg); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), cfg.Timeout)
	defer cancel()

	nc, err := eventbus.Connect(cfg.NATSURL, "provision", slog.Default())
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := eventbus.JetStream(nc)
	if err != nil {
		return err
	}
	return eventbus.ProvisionWhenUp(ctx, js, cfg.Replicas)
}
