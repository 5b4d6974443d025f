package outbox

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go/jetstream"
)

// What the tests use of a relay. They are in a package of their own, because their servers need package eventbus.
type (
	Row      = row
	Retained = retained
)

const PollInterval = pollInterval

func (r *Relay) SetPollInterval(d time.Duration) { r.pollInterval = d }

func (r *Relay) Leads() bool { return r.leads.Load() }

// Publish publishes a batch as a relay that remembers known of the batch's only subject.
func Publish(ctx context.Context, js jetstream.JetStream, batch []Row, known *Retained) ([]uuid.UUID, error) {
	p := newPublisher(js)
	if known != nil {
		p.retained.Add(batch[0].Subject, *known)
	}
	return p.publish(ctx, batch)
}

// FirstState is what a relay remembers that has published the first message of the stream, version 1 of a state.
func FirstState() *Retained { return &Retained{sequence: 1, version: 1} }

func ReadRetained(ctx context.Context, js jetstream.JetStream, subject string) (*Retained, error) {
	p := newPublisher(js)
	now, err := p.readRetained(ctx, subject)
	return &now, err
}

func Prune(ctx context.Context, conn *pgx.Conn) error { return prune(ctx, conn) }
