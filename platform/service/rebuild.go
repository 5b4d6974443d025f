package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
)

// RebuildSpec says how a service makes its copies of neighbours' data again.
type RebuildSpec struct {
	// Subjects and Handle are those by which the running service keeps them.
	Subjects []string
	Handle   eventbus.Handler
	// Then makes again, one after the other, what is made of the copies.
	Then []func(ctx context.Context) error
}

// Rebuild is the command that makes the copies again from the streams alone. The
// service may go on meanwhile; a second rebuild of the database may not run.
func Rebuild(out io.Writer, service, summary string, of func(pool *postgres.Pool) RebuildSpec) Command {
	return Command{Name: "rebuild", Summary: summary, Run: WithoutArguments(func(ctx context.Context) error {
		return WithNATS(ctx, service, func(pool *postgres.Pool, nc *nats.Conn) error {
			return exclusively(ctx, pool, func() error {
				count, err := of(pool).run(ctx, nc)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(out, "Rebuilt from %d states.\n", count)
				return err
			})
		})
	})}
}

// run returns how many states there were.
func (r RebuildSpec) run(ctx context.Context, nc *nats.Conn) (int, error) {
	js, err := eventbus.JetStream(nc)
	if err != nil {
		return 0, err
	}
	count, err := eventbus.Replay(ctx, js, r.Subjects, r.Handle)
	if err != nil {
		return 0, err
	}
	for _, then := range r.Then {
		if err := then(ctx); err != nil {
			return 0, err
		}
	}
	return count, nil
}

var errRebuilding = errors.New("another rebuild is running")

// exclusively runs do while no other rebuild of this database runs.
func exclusively(ctx context.Context, pool *postgres.Pool, do func() error) error {
	pooled, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("lock the rebuild: %w", err)
	}
	// The lock is the session's, so that it ends with the connection at the latest.
	conn := pooled.Hijack()
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, _ = conn.Exec(ctx, `select pg_advisory_unlock_all()`)
		_ = conn.Close(ctx)
	}()
	var locked bool
	if err := conn.QueryRow(ctx, `select pg_try_advisory_lock(hashtextextended('rebuild', 0))`).Scan(&locked); err != nil {
		return fmt.Errorf("lock the rebuild: %w", err)
	}
	if !locked {
		return errRebuilding
	}
	return do()
}

// Republish is the command that publishes the current states of all that the
// service owns again, by way of the outbox of the running service. what names
// the states ("players"), appendAll returns how many there were.
func Republish(out io.Writer, what, summary string, appendAll func(ctx context.Context, pool *postgres.Pool) (int, error)) Command {
	return Command{Name: "republish", Summary: summary, Run: WithoutArguments(func(ctx context.Context) error {
		return WithDatabase(ctx, func(pool *postgres.Pool) error {
			count, err := appendAll(ctx, pool)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%d %s wait in the outbox for the running service to publish them.\n", count, what)
			return err
		})
	})}
}
