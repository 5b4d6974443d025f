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
	ctx context.Context, r moderation.Report, subject moderation.Subject, by access.Attribution,
) (moderation.Report, error) {
	err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if r.ReporterID, err = copies.LockWriter(ctx, tx, r.ReporterID); err != nil {
			return err
		}
		if subject, err = resolve(ctx, tx, subject); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, lockReporterSQL, pgx.NamedArgs{"reporter": r.ReporterID}); err != nil {
			return err
		}
		if r.CaseID, err = openCase(ctx, tx, r.CaseID, subject, r.At); err != nil {
			return err
		}
		reporter, err := readReporter(ctx, tx, r)
		if err != nil {
			return err
		}
		if err := reporter.May(r, subject); err != nil {
			return err
		}
		if reporter.Own != nil { // the answer was lost
			r.ID, r.At = reporter.Own.ID, reporter.Own.At
			return nil
		}
		r.Accuracy = reporter.Accuracy
		if err := insertReport(ctx, tx, r); err != nil {
			return err
		}
		return audit.Append(ctx, tx, r.Entry(by, subject))
	})
	return r, postgres.Wrap(err, "report by player %s", r.ReporterID)
}

// readReporter returns who makes a report.
func readReporter(ctx context.Context, tx pgx.Tx, r moderation.Report) (moderation.Reporter, error) {
	args := pgx.NamedArgs{
		"reporter": r.ReporterID, "case": r.CaseID, "since": r.At.Add(-moderation.ReportPeriod),
		"most": moderation.MaxReports, "window": moderation.AccuracyWindow,
	}
	reporter := moderation.Reporter{ID: r.ReporterID}
	var own moderation.Report
	err := tx.QueryRow(ctx, ownReportSQL, args).Scan(&own.ID, &own.Reason, &own.Text, &own.At)
	switch {
	case err == nil:
		reporter.Own = &own
	case !errors.Is(err, pgx.ErrNoRows):
		return reporter, err
	}
	err = tx.QueryRow(ctx, countReportsSQL, args).Scan(&reporter.Today, (*zeronull.Timestamptz)(&reporter.Oldest))
	if err != nil {
		return reporter, err
	}
	err = tx.QueryRow(ctx, accuracySQL, args).Scan(&reporter.Accuracy.Confirmed, &reporter.Accuracy.Closed)
	return reporter, err
}

// insertReport adds a report to its case.
func insertReport(ctx context.Context, tx pgx.Tx, r moderation.Report) error {
	args := pgx.NamedArgs{
		"id": r.ID, "case": r.CaseID, "reporter": r.ReporterID, "reason": r.Reason, "text": r.Text, "at": r.At,
		"weight": r.Accuracy.Weight(),
	}
	return postgres.ExecBatch(ctx, tx, args, insertReportSQL, countReportSQL)
}
