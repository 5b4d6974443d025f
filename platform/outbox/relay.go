package outbox

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/postgres"
)

const (
	// batchSize is how many rows are read, published and marked at once.
	batchSize = 500
	// pollInterval is how long the leading relay waits when nothing wakes it.
	pollInterval = time.Second
	// followInterval is how often a relay without the lock tries to take it.
	followInterval = time.Second
	// publishTimeout is how long the publication of a batch may take. Unpublished rows are read again.
	publishTimeout = 10 * time.Second
	// debounceInterval is the shortest time between two batches. An event after a quiet moment is published at once;
	// under load a batch holds the events of many transactions, and only the last state of each entity is published.
	debounceInterval = 200 * time.Millisecond
	// keepPublished is how long published rows are kept, for debugging.
	keepPublished = 24 * time.Hour
	// pruneInterval is how often older rows are deleted.
	pruneInterval = time.Minute
)

// Relay publishes a service's outbox. Each replica runs one. A lock makes one of them the leader.
type Relay struct {
	pool  *postgres.Pool
	js    jetstream.JetStream
	log   *slog.Logger
	leads atomic.Bool
	// publications counts events by outcome.
	publications *prometheus.CounterVec
	// pollInterval is how long the leading relay waits when nothing wakes it.
	pollInterval time.Duration
}

// NewRelay returns the relay of the outbox in pool's database. It must be the only receiver of the pool's Commits.
func NewRelay(pool *postgres.Pool, js jetstream.JetStream, log *slog.Logger) *Relay {
	return &Relay{
		pool: pool, js: js, log: log, publications: newPublications(), pollInterval: pollInterval,
	}
}

// Run publishes until ctx ends. It recovers from the loss of the database and of NATS.
func (r *Relay) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.publishAsLeader(ctx); err != nil && ctx.Err() == nil {
			r.log.WarnContext(ctx, "outbox relay restarts", "error", err)
		}
		r.follow(ctx)
	}
	return nil
}

// follow notifies the leading relay of this process's commits, for followInterval.
func (r *Relay) follow(ctx context.Context) {
	end := time.After(followInterval)
	for {
		select {
		case <-r.pool.Commits():
			if err := Notify(ctx, r.pool); err != nil {
				r.log.DebugContext(ctx, "the leading outbox relay was not notified", "error", err)
			}
		case <-end:
			return
		case <-ctx.Done():
			return
		}
	}
}

// publishAsLeader takes the lock, if it is free, and publishes until ctx ends or a step fails.
func (r *Relay) publishAsLeader(ctx context.Context) error {
	lock, ok, err := postgres.TryLock(ctx, r.pool, "outbox")
	if err != nil || !ok {
		return err
	}
	defer lock.Unlock()
	conn := lock.Conn
	r.leads.Store(true)
	defer r.leads.Store(false)
	// If the database server loses a mark in a crash, the event is published again, and the
	// stream drops the duplicate by its id.
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
		if time.Since(pruned) > pruneInterval {
			if err := prune(ctx, conn); err != nil {
				return err
			}
			pruned = time.Now()
		}
		if err := r.waitForWork(ctx, conn); err != nil {
			return err
		}
		r.debounce(ctx, debounceInterval-time.Since(began))
	}
	return nil
}

// debounce waits for more events, and discards the wake-up: the next batch has all that was committed until then.
func (r *Relay) debounce(ctx context.Context, length time.Duration) {
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

// waitForWork returns after a commit of this process, after a notification of another one, or after pollInterval.
func (r *Relay) waitForWork(ctx context.Context, conn *pgx.Conn) error {
	waitCtx, cancel := context.WithTimeout(ctx, r.pollInterval)
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
	<-stopped // does not take the next commit
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

// publishBatch publishes the oldest unpublished rows and returns how many it read. Rows that
// could not be published are read again.
func (r *Relay) publishBatch(ctx context.Context, conn *pgx.Conn) (int, error) {
	// It reads unpublished rows, not rows above a cursor, because sequence numbers are not committed
	// in order. Those of one entity are, because its row was locked.
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
	published, pubErr := publish(pubCtx, r.js, batch)
	r.publications.WithLabelValues(settled).Add(float64(len(published)))
	r.publications.WithLabelValues(failed).Add(float64(len(batch) - len(published)))
	if len(published) > 0 {
		const markSQL = `update outbox set published_at = now() where id = any($1)`
		if _, err := conn.Exec(ctx, markSQL, published); err != nil {
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
	_, err := postgres.ExecAll(ctx, conn, deleteSQL, keepPublished.Seconds(), batchSize)
	return postgres.Wrap(err, "outbox: prune")
}

var (
	leadership = prometheus.NewDesc("outbox_relay_leader",
		"1 in the replica whose relay publishes the outbox.", nil, nil)
	unpublished = prometheus.NewDesc("outbox_unpublished",
		"Events of the outbox that are not published yet, counted up to 10000.", nil, nil)
	oldest = prometheus.NewDesc("outbox_oldest_unpublished_seconds",
		"Age of the oldest event that is not published yet; 0 when there is none.", nil, nil)
)

// The outcomes of a publication.
const (
	settled = "settled"
	failed  = "failed"
)

func newPublications() *prometheus.CounterVec {
	publications := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "outbox_publications_total",
		Help: "Events of the outbox, by whether their publication was settled or failed for now.",
	}, []string{"outcome"})
	publications.WithLabelValues(settled)
	publications.WithLabelValues(failed)
	return publications
}

// countUpTo bounds the cost of reading the metrics.
const countUpTo = 10_000

// Describe implements prometheus.Collector.
func (r *Relay) Describe(descs chan<- *prometheus.Desc) {
	r.publications.Describe(descs)
	descs <- leadership
	descs <- unpublished
	descs <- oldest
}

// Collect implements prometheus.Collector. If the database does not answer, it collects only what the relay knows.
func (r *Relay) Collect(metrics chan<- prometheus.Metric) {
	r.publications.Collect(metrics)
	leads := 0.0
	if r.leads.Load() {
		leads = 1
	}
	metrics <- prometheus.MustNewConstMetric(leadership, prometheus.GaugeValue, leads)

	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var count, age float64
	err := r.pool.QueryRow(ctx, `
		select count(*), coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)
		from (select created_at from outbox where published_at is null order by seq limit $1) waiting`,
		countUpTo).Scan(&count, &age)
	if err != nil {
		return
	}
	metrics <- prometheus.MustNewConstMetric(unpublished, prometheus.GaugeValue, count)
	metrics <- prometheus.MustNewConstMetric(oldest, prometheus.GaugeValue, max(age, 0))
}
