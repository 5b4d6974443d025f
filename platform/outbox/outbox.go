// Package outbox publishes events exactly for the changes that were committed: Append writes
// an event in the transaction of the change, and the Relay publishes what was committed.
package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/telemetry"
)

// Event is an event.State or an event.Fact.
type Event interface{ Subject() string }

const appendSQL = `
	insert into outbox (id, subject, version, body, headers)
	select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bytea[], $5::jsonb[])`

// Append writes events to the outbox, in the transaction of the change that they announce. A
// transaction that appends a state has locked the entity's row and raised its version, so that
// the versions of an entity are committed in order.
func Append(ctx context.Context, tx pgx.Tx, events ...Event) error {
	if len(events) == 0 {
		return nil
	}
	var (
		ids      []uuid.UUID
		subjects []string
		versions []int64
		bodies   [][]byte
		headers  []map[string][]string
		cause    = telemetry.Headers(ctx)
	)
	for _, e := range events {
		var version int64
		if s, ok := e.(event.State); ok {
			if version = s.StateVersion(); version <= 0 {
				return fmt.Errorf("outbox: state on %s has no version", s.Subject())
			}
		}
		id, body, err := envelope(version, e)
		if err != nil {
			return fmt.Errorf("outbox: %s: %w", e.Subject(), err)
		}
		ids, subjects, versions = append(ids, id), append(subjects, e.Subject()), append(versions, version)
		bodies, headers = append(bodies, body), append(headers, cause)
	}
	if _, err := tx.Exec(ctx, appendSQL, ids, subjects, versions, bodies, headers); err != nil {
		return fmt.Errorf("outbox: append: %w", err)
	}
	return nil
}

// envelope returns the id and the body of a message.
func envelope(version int64, payload any) (id uuid.UUID, body []byte, err error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return id, nil, err
	}
	if id, err = uuid.NewV7(); err != nil {
		return id, nil, err
	}
	body, err = json.Marshal(event.Envelope{
		ID: id.String(), Version: version, At: time.Now().UTC().Truncate(time.Millisecond), Data: data,
	})
	return id, body, err
}

// channel is the channel of notifications that wake the leading relay from other processes.
const channel = "outbox"

// Notify wakes the leading relay, for a process without one. Without it, the relay would read
// the outbox within a second.
func Notify(ctx context.Context, pool *postgres.Pool) error {
	if _, err := pool.Exec(ctx, "select pg_notify($1, '')", channel); err != nil {
		return fmt.Errorf("outbox: notify: %w", err)
	}
	return nil
}

// errLockLost is returned when the relay's connection, and with it the lock, was lost.
var errLockLost = errors.New("outbox: the relay's connection was lost")

var (
	publications = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "outbox_publications_total",
		Help: "Events of the outbox, by whether their publication was settled or failed for now.",
	}, []string{"outcome"})

	leadership  = prometheus.NewDesc("outbox_relay_leader", "1 in the replica whose relay publishes the outbox.", nil, nil)
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

func init() {
	for _, outcome := range []string{settled, failed} {
		publications.WithLabelValues(outcome)
	}
}

// countUpTo bounds the cost of reading the metrics.
const countUpTo = 10_000

// Describe implements prometheus.Collector.
func (*Relay) Describe(descs chan<- *prometheus.Desc) {
	descs <- leadership
	descs <- unpublished
	descs <- oldest
}

// Collect implements prometheus.Collector. If the database does not answer, it collects only the
// leadership.
func (r *Relay) Collect(metrics chan<- prometheus.Metric) {
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
