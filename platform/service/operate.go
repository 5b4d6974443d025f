package service

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
)

// WithoutArguments returns a function for Command.Run that accepts no arguments.
func WithoutArguments(run func(context.Context) error) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		if len(args) > 0 {
			return ErrUsage
		}
		return run(ctx)
	}
}

// WithDatabase runs an operator's command on the service's database. The running service
// publishes the events that the command appends to the outbox. A problem is returned as
// an error with its sentence.
func WithDatabase(ctx context.Context, run func(pool *postgres.Pool) error) error {
	var cfg struct {
		DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	}
	if err := ReadEnv(&cfg); err != nil {
		return err
	}
	return withDatabase(ctx, cfg.DatabaseURL, run)
}

// WithNATS is WithDatabase for a command that also sends requests or reads streams.
func WithNATS(ctx context.Context, service string, run func(pool *postgres.Pool, nc *nats.Conn) error) error {
	var cfg struct {
		LogConfig

		DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
		NATSURL     string `env:"NATS_URL,required,notEmpty"`
	}
	if err := ReadEnv(&cfg); err != nil {
		return err
	}
	return withDatabase(ctx, cfg.DatabaseURL, func(pool *postgres.Pool) error {
		nc, err := eventbus.Connect(cfg.NATSURL, event.CommandName(service), cfg.Logger(service))
		if err != nil {
			return err
		}
		defer nc.Close()
		return run(pool, nc)
	})
}

func withDatabase(ctx context.Context, url string, run func(pool *postgres.Pool) error) error {
	registerMappers()
	pool, err := postgres.Open(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	err = userMessage(run(pool))
	// Also after an error, because a part may be committed.
	return errors.Join(err, outbox.Notify(ctx, pool))
}

// userMessage returns a problem's sentence as an error for the operator.
func userMessage(err error) error {
	if p := (*problem.Problem)(nil); errors.As(err, &p) {
		return errors.New(p.Message)
	}
	return err
}
