// Command provision makes the streams and durable consumers of the event catalogue on the NATS server at NATS_URL,
// or brings them up to date. NATS_REPLICAS (default 1) is how many servers of a cluster keep each stream.
package main

import (
	"context"
	"log/slog"

	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/provision"
)

type config struct {
	NATSURL  string `env:"NATS_URL,required,notEmpty"`
	Replicas int    `env:"NATS_REPLICAS" envDefault:"1"`
}

func main() { provision.Main("provision", setUp) }

func setUp(ctx context.Context, cfg config) error {
	nc, err := eventbus.Connect(cfg.NATSURL, "provision", slog.Default())
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := eventbus.JetStream(nc)
	if err != nil {
		return err
	}
	return eventbus.Provision(ctx, js, cfg.Replicas)
}
