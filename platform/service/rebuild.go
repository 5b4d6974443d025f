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

// RebuildSpec describes how a service rebuilds its copies of other services' entities.
type RebuildSpec struct {
	// Subjects and Handle are those of the running service's consumer.
	Subjects []string
	Handle   eventbus.Handler
	// Then are the steps that rebuild data derived from the copies, in order.
	Then []func(ctx context.Context) error
}

// Rebuild returns the command that rebuilds the copies from the streams. The service may
// run meanwhile; a second rebuild of the same database is refused.
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

// run rebuilds the copies and returns the number of states.
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

// exclusively runs do under a lock, so that no other rebuild of this database runs.
func exclusively(ctx context.Context, pool *postgres.Pool, do func() error) error {
	pooled, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("lock the rebuild: %w", err)
	}
	// A session lock ends with the connection, also if this process is killed.
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

// Republish returns the command that publishes the states of all entities that the
// service owns again. appendAll appends them to the outbox and returns their number; the
// running service publishes them. what names the entities: "players".
func Republish(out io.Writer, what, summary string,
	appendAll func(ctx context.Context, pool *postgres.Pool) (int, error)) Command {
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
