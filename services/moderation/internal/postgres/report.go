package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	lockReporterSQL = `select pg_advisory_xact_lock(hashtextextended('reports of ' || @reporter, 0))`
	ownReportSQL    = `
		select id, reason, text, created_at from reports where case_id = @case and reporter_id = @reporter`
	countReportsSQL = `
		select count(*), min(created_at) from (
			select created_at from reports where reporter_id = @reporter and created_at > @since limit @most
		) today`
	accuracySQL = `
		select count(*) filter (where confirmed), count(*)
		from (
			select confirmed from reports
			where reporter_id = @reporter and closed_at is not null
			order by closed_at desc
			limit @window
		) last`
	insertReportSQL = `
		insert into reports (id, case_id, reporter_id, reason, text, weight, created_at)
		values (@id, @case, @reporter, @reason, @text, @weight, @at)`
	countReportSQL = `update cases set reports = reports + 1, priority = priority + @weight where id = @case`
)

// AddReport implements moderation.ReportStore.
func (s *Store) AddReport(
	ctx context.Context, by access.Attribution, about moderation.Subject, r moderation.Report,
) (added moderation.Report, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if by.Actor.ID, err = copies.LockWriter(ctx, tx, by.Actor.ID); err != nil {
			return err
		}
		if about, err = resolve(ctx, tx, about); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, lockReporterSQL, pgx.NamedArgs{"reporter": by.Actor.ID}); err != nil {
			return err
		}
		if r.CaseID, err = openCase(ctx, tx, r.CaseID, about, r.At); err != nil {
			return err
		}
		reporter, err := readReporter(ctx, tx, by.Actor.ID, r)
		if err != nil {
			return err
		}
		change, err := reporter.Report(by, about, r)
		if added = change.Value; err != nil || change.IsRepeated {
			return err
		}
		args := pgx.NamedArgs{
			"id": added.ID, "case": added.CaseID, "reporter": added.ReporterID, "reason": added.Reason, "text": added.Text,
			"at": added.At, "weight": added.Accuracy.Weight(),
		}
		if err := postgres.ExecBatch(ctx, tx, args, insertReportSQL, countReportSQL); err != nil {
			return err
		}
		return audit.Append(ctx, tx, change.Entries...)
	})
	return added, postgres.Wrap(err, "report by player %s", by.Actor.ID)
}

// readReporter returns who makes a report.
func readReporter(
	ctx context.Context, tx pgx.Tx, reporterID string, r moderation.Report,
) (reporter moderation.Reporter, err error) {
	args := pgx.NamedArgs{
		"reporter": reporterID, "case": r.CaseID, "since": r.At.Add(-moderation.ReportPeriod),
		"most": moderation.MaxReports, "window": moderation.AccuracyWindow,
	}
	own := moderation.Report{CaseID: r.CaseID, ReporterID: reporterID}
	err = tx.QueryRow(ctx, ownReportSQL, args).Scan(&own.ID, &own.Reason, &own.Text, &own.At)
	switch {
	case err == nil:
		reporter.Own = &own
	case !errors.Is(err, pgx.ErrNoRows):
		return reporter, err
	}
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, countReportsSQL, args, &reporter.Today, (*zeronull.Timestamptz)(&reporter.Oldest))
	postgres.QueueRow(batch, accuracySQL, args, &reporter.Accuracy.Confirmed, &reporter.Accuracy.Closed)
	err = tx.SendBatch(ctx, batch).Close() // sets reporter
	return reporter, err
}
