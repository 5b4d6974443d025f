package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/postgres"
)

const (
	// batchSize bounds what is read, published and marked at once.
	batchSize = 500
	// idlePoll is how long the relay sleeps when nothing wakes it.
	idlePoll = time.Second
	// standbyPoll is how often a relay without the lock tries to take it.
	standbyPoll = time.Second
	// publishTimeout bounds one round of publishing; unpublished rows come again.
	publishTimeout = 10 * time.Second
	// gatherFor is how soon after a batch the next one may follow. News after a quiet
	// moment go out at once; under load a batch holds those of many transactions, of
	// which the last total of a map or a player stands for all before it.
	gatherFor = 200 * time.Millisecond
	// keepPublished is how long published rows stay for whoever investigates.
	keepPublished = 24 * time.Hour
	// pruneEvery is how often rows are looked for that are older.
	pruneEvery = time.Minute
	// lockKey is the advisory lock of the relay, per database ("outbox" in ASCII).
	lockKey = 0x6f7574626f78
)

// Relay publishes a service's outbox. Each replica runs one; an advisory lock
// on a connection of its own lets one work and the others stand by. The lock
// cannot stop a relay that stalls after it was lost, so each state is published
// only while no newer one is retained (see sendIfNewest).
type Relay struct {
	pool      *postgres.Pool
	publisher publisher
	log       *slog.Logger
	leads     atomic.Bool
	// idlePoll is the constant of the name but in tests.
	idlePoll time.Duration
}

// NewRelay returns the relay of the outbox in pool's database. It takes the pool's
// commits for news, of which nobody else may be told.
func NewRelay(pool *postgres.Pool, js jetstream.JetStream, log *slog.Logger) *Relay {
	return &Relay{
		pool: pool, publisher: publisher{js: js, retained: map[string]retained{}}, log: log, idlePoll: idlePoll,
	}
}

// Run publishes until ctx ends. It outlives the loss of the database and of NATS.
func (r *Relay) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.lead(ctx); err != nil && ctx.Err() == nil {
			r.log.WarnContext(ctx, "outbox relay starts again", "error", err)
		}
		r.standBy(ctx)
	}
	return nil
}

// standBy passes news of this process on to the relay that leads, for a moment.
func (r *Relay) standBy(ctx context.Context) {
	end := time.After(standbyPoll)
	for {
		select {
		case <-r.pool.Commits():
			if err := Notify(ctx, r.pool); err != nil {
				r.log.DebugContext(ctx, "the leading outbox relay was not told of news", "error", err)
			}
		case <-end:
			return
		case <-ctx.Done():
			return
		}
	}
}

// lead takes the lock, if it is free, and publishes until ctx ends or something fails.
func (r *Relay) lead(ctx context.Context) error {
	pooled, err := r.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	var leads bool
	err = pooled.QueryRow(ctx, "select pg_try_advisory_lock($1)", lockKey).Scan(&leads)
	if err == nil && !leads {
		pooled.Release()
		return nil
	}
	// The connection leaves the pool: it holds the lock and listens, and is
	// closed at the end, whatever state it is in.
	conn := pooled.Hijack()
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if err != nil {
		return err
	}
	r.leads.Store(true)
	defer r.leads.Store(false)
	// A mark that the database server loses in a crash is made again: what is
	// published twice is known by its id.
	if _, err := conn.Exec(ctx, "set synchronous_commit = off; listen "+channel); err != nil {
		return err
	}
	var pruned time.Time
	for ctx.Err() == nil {
		began := time.Now()
		n, err := r.publishBatch(ctx, conn)
		if err != nil {
			return err
		}
		if n == batchSize {
			continue
		}
		if time.Since(pruned) > pruneEvery {
			if err := prune(ctx, conn); err != nil {
				return err
			}
			pruned = time.Now()
		}
		if err := r.awaitNews(ctx, conn); err != nil {
			return err
		}
		r.gather(ctx, gatherFor-time.Since(began))
	}
	return nil
}

// gather lets more news come for a while, and forgets what woke it: the look that
// follows sees whatever was committed until then.
func (r *Relay) gather(ctx context.Context, length time.Duration) {
	if length > 0 {
		select {
		case <-time.After(length):
		case <-ctx.Done():
		}
	}
	select {
	case <-r.pool.Commits():
	default:
	}
}

// awaitNews returns at news of this process, at a notification of another one or
// after some time.
func (r *Relay) awaitNews(ctx context.Context, conn *pgx.Conn) error {
	waitCtx, cancel := context.WithTimeout(ctx, r.idlePoll)
	defer cancel()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-r.pool.Commits():
			cancel()
		case <-waitCtx.Done():
		}
	}()
	_, err := conn.WaitForNotification(waitCtx)
	ended := waitCtx.Err() != nil
	cancel()
	<-stopped // takes no news from the next wait
	switch {
	case conn.IsClosed():
		return errLockLost
	case err != nil && !ended:
		return err
	}
	return nil
}

// row is an unpublished event.
type row struct {
	ID      uuid.UUID
	Subject string
	Version int64
	Body    []byte
	Headers map[string][]string
}

// publishBatch publishes the oldest unpublished rows and returns how many it
// read. What could not be published stays and is read again.
func (r *Relay) publishBatch(ctx context.Context, conn *pgx.Conn) (int, error) {
	// Unpublished rows, not rows above a cursor: sequence numbers don't commit
	// in order. Of one entity they do, because its row was locked.
	rows, err := conn.Query(ctx, `
		select id, subject, version, body, headers from outbox
		where published_at is null
		order by seq
		limit $1`, batchSize)
	if err != nil {
		return 0, fmt.Errorf("outbox: read: %w", err)
	}
	batch, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	if err != nil {
		return 0, fmt.Errorf("outbox: read: %w", err)
	}
	if len(batch) == 0 {
		return 0, nil
	}
	pubCtx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	published, pubErr := r.publisher.publish(pubCtx, batch)
	publications.WithLabelValues(settled).Add(float64(len(published)))
	publications.WithLabelValues(failed).Add(float64(len(batch) - len(published)))
	if len(published) > 0 {
		if _, err := conn.Exec(ctx, "update outbox set published_at = now() where id = any($1)", published); err != nil {
			return 0, fmt.Errorf("outbox: mark: %w", err)
		}
	}
	if pubErr != nil {
		return 0, fmt.Errorf("outbox: publish: %w", pubErr)
	}
	return len(batch), nil
}

// prune deletes the rows that were published more than keepPublished ago.
func prune(ctx context.Context, conn *pgx.Conn) error {
	const deleteSQL = `
		delete from outbox where id in (
			select id from outbox
			where published_at < now() - make_interval(secs => $1)
			order by published_at
			limit $2)`
	for {
		tag, err := conn.Exec(ctx, deleteSQL, keepPublished.Seconds(), batchSize)
		if err != nil {
			return fmt.Errorf("outbox: prune: %w", err)
		}
		if tag.RowsAffected() < batchSize {
			return nil
		}
	}
}

// isSequenceConflict tells that somebody published on the subject in between.
func isSequenceConflict(err error) bool {
	var apiErr *jetstream.APIError
	return errors.As(err, &apiErr) && apiErr.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}
