package outbox

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// What the tests use of a relay. They are in a package of their own, because their servers need package eventbus.
const PollInterval = pollInterval

func (r *Relay) SetPollInterval(d time.Duration) { r.pollInterval = d }

func (r *Relay) Leads() bool { return r.leads.Load() }

func Prune(ctx context.Context, conn *pgx.Conn) error { return prune(ctx, conn) }
