package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
)

// WithDatabase runs an operator's command on the service's database. The running service publishes the events
// that the command appends to the outbox. A problem is returned as an error with its sentence.
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
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return errors.New(p.Message)
	}
	return err
}

// Operator returns the actor for the user who runs this process: sudo's caller, else the
// account, else "unknown", as in a container without a name for its user id.
func Operator() access.Actor {
	account := os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		account = u.Username
	}
	return access.Operator(cmp.Or(os.Getenv("SUDO_USER"), account, "unknown"))
}

// ByOperator attributes a change to Operator, with the arguments, joined by spaces, as the reason.
func ByOperator(reason ...string) access.Attribution {
	return access.Attribution{Actor: Operator(), Reason: access.Reason(strings.Join(reason, " "))}
}

// CheckEnv returns the command that reads the configuration C from the environment,
// calls its method Check if it has one, and prints every mistake. It opens no connection.
func CheckEnv[C any]() Command {
	return Command{
		Name: "check-env", Summary: "read the environment and print every mistake in it",
		Run: func(_ context.Context, out io.Writer, _ []string) error {
			var cfg C
			err := ReadEnv(&cfg)
			if checked, ok := any(cfg).(interface{ Check() error }); ok && err == nil {
				err = checked.Check()
			}
			if err == nil {
				fmt.Fprintln(out, "The environment is complete.")
			}
			return err
		},
	}
}

// Rebuild returns the command that passes the states of a consumer to its handler again, and then derives other data
// from the copies, step by step. The service may run meanwhile; a second rebuild of the same database is refused.
func Rebuild(
	service, summary string, c event.Consumer, newHandler func(pool *postgres.Pool) eventbus.Handler,
	then ...func(ctx context.Context, pool *postgres.Pool) error,
) Command {
	rebuild := func(ctx context.Context, pool *postgres.Pool, nc *nats.Conn, out io.Writer) error {
		js, err := eventbus.JetStream(nc)
		if err != nil {
			return err
		}
		count, err := eventbus.Replay(ctx, js, c.Subjects, newHandler(pool))
		if err != nil {
			return err
		}
		for _, step := range then {
			if err := step(ctx, pool); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "Rebuilt from %d states.\n", count)
		return nil
	}
	return Command{Name: "rebuild", Summary: summary, Run: func(ctx context.Context, out io.Writer, _ []string) error {
		return WithNATS(ctx, service, func(pool *postgres.Pool, nc *nats.Conn) error {
			return exclusively(ctx, pool, func() error { return rebuild(ctx, pool, nc, out) })
		})
	}}
}

var errRebuilding = errors.New("another rebuild is running")

// exclusively runs rebuild under a lock, so that no other rebuild of this database runs.
func exclusively(ctx context.Context, pool *postgres.Pool, rebuild func() error) error {
	lock, ok, err := postgres.TryLock(ctx, pool, "rebuild")
	switch {
	case err != nil:
		return err
	case !ok:
		return errRebuilding
	}
	defer lock.Unlock()
	return rebuild()
}

// Republish returns the command that publishes the states of all entities that the
// service owns again. appendAll appends them to the outbox and returns their number; the
// running service publishes them. what names the entities: "players".
func Republish(what, summary string, appendAll func(ctx context.Context, pool *postgres.Pool) (int, error)) Command {
	return Command{Name: "republish", Summary: summary, Run: func(ctx context.Context, out io.Writer, _ []string) error {
		return WithDatabase(ctx, func(pool *postgres.Pool) error {
			count, err := appendAll(ctx, pool)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%d %s wait in the outbox for the running service to publish them.\n", count, what)
			return nil
		})
	}}
}

// sweepTimeout bounds the wait for the storage to answer.
const sweepTimeout = 15 * time.Second

// Sweep returns the command that removes the files that no row names, which the running service also does every
// few minutes. An upload in progress that is older than AGE fails with objectstore.ErrUploadExpired.
func Sweep(service string, isReferenced func(pool *postgres.Pool) objectstore.IsReferenced) Command {
	return Command{
		Name: "sweep", Args: "[AGE]",
		Summary: "remove the files that no row names, of uploads older than AGE (default 1h)",
		Run: func(ctx context.Context, out io.Writer, args []string) error {
			age := objectstore.UploadGrace
			if len(args) > 0 {
				var err error
				if age, err = time.ParseDuration(args[0]); err != nil || age < 0 || len(args) > 1 {
					return ErrUsage
				}
			}
			var cfg StorageConfig
			if err := ReadEnv(&cfg); err != nil {
				return err
			}
			return WithDatabase(ctx, func(pool *postgres.Pool) error {
				opening, cancel := context.WithTimeout(ctx, sweepTimeout)
				defer cancel()
				files, err := objectstore.Open(opening, cfg.For(service))
				if err != nil {
					return err
				}
				removed, err := objectstore.NewSweeper(files, pool, isReferenced(pool)).Sweep(ctx, age)
				if err != nil {
					return err
				}
				fmt.Fprintf(out, "Removed %d files.\n", removed)
				return nil
			})
		},
	}
}
