package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const flagPrecisionsSQL = `
	select k.kind, count(last.confirmed), count(*) filter (where last.confirmed)
	from unnest(@kinds::text[]) with ordinality as k (kind, position) left join lateral (
		select confirmed from flags
		where kind = k.kind and closed_at is not null
		order by closed_at desc
		limit @window
	) last on true
	group by k.kind, k.position
	order by k.position`

// FlagPrecisions implements moderation.StatisticsQueries.
func (s *Store) FlagPrecisions(ctx context.Context) ([]moderation.FlagPrecision, error) {
	precisions, err := postgres.Collect(ctx, s.db, pgx.RowToStructByPos[moderation.FlagPrecision], flagPrecisionsSQL,
		pgx.NamedArgs{"kinds": moderation.FlagKinds, "window": moderation.PrecisionWindow})
	return precisions, postgres.Wrap(err, "precision of flags")
}

const (
	summarySQL = `
		select
			(select count(*) from cases where open),
			(select count(*) from reports where created_at >= @since),
			(select count(*) from cases where not open and closed_at >= @since),
			(select count(*) from decisions where created_at >= @since and state = 'carried_out' and undoes is not null),
			(select count(*) from appeals where state = 'open'),
			(select count(*) from appeals where state <> 'open' and answered_at >= @since and state = 'granted'),
			(select count(*) from appeals where state <> 'open' and answered_at >= @since and state = 'kept'),
			(select coalesce(percentile_cont(0.5) within group (order by extract(epoch from closed_at - opened_at) / 60), -1)
				from cases where not open and closed_at >= @since)`
	decisionCountsSQL = `
		select kind, count(*) from decisions
		where created_at >= @since and state = 'carried_out' and undoes is null
		group by kind`
	hasFlaggedCaseSQL = `
		select exists (select from cases where subject_kind = 'record' and subject_id = $1 and open and flags > 0)`
)

// Summary implements moderation.StatisticsQueries.
func (s *Store) Summary(ctx context.Context, since time.Time) (m moderation.Summary, err error) {
	args := pgx.NamedArgs{"since": since}
	var median float64
	err = s.db.QueryRow(ctx, summarySQL, args).Scan(&m.OpenCases, &m.Reports, &m.ClosedCases, &m.Undone, &m.AppealsOpen,
		&m.AppealsGranted, &m.AppealsKept, &median)
	if err != nil {
		return moderation.Summary{}, fmt.Errorf("summary: %w", err)
	}
	m.MedianMinutes = int(median)
	m.Decisions, err = postgres.CollectMap[moderation.DecisionKind, int](ctx, s.db, decisionCountsSQL, args)
	return m, postgres.Wrap(err, "summary")
}

// HasFlaggedCase implements moderation.StatisticsQueries.
func (s *Store) HasFlaggedCase(ctx context.Context, recordID string) (has bool, err error) {
	err = s.db.QueryRow(ctx, hasFlaggedCaseSQL, recordID).Scan(&has)
	return has, postgres.Wrap(err, "case of record %s", recordID)
}
