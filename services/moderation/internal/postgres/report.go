package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
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

// reportPeriod is the time in which moderation.MaxReports count.
const reportPeriod = 24 * time.Hour

// AddReport implements moderation.ReportStore.
func (s *Store) AddReport(
	ctx context.Context, r moderation.Report, subject moderation.Subject, by access.Attribution,
) (moderation.Report, error) {
	err := s.inTx(ctx, func(tx pgx.Tx) (err error) {
		if r.ReporterID, err = mergedInto(ctx, tx, r.ReporterID); err != nil {
			return err
		}
		if subject, err = resolve(ctx, tx, subject); err != nil {
			return err
		}
		if subject.PlayerID == r.ReporterID {
			return moderation.ErrReportOwn
		}
		args := pgx.NamedArgs{
			"reporter": r.ReporterID, "player": r.ReporterID,
			"since": r.At.Add(-reportPeriod), "most": moderation.MaxReports,
			"window": moderation.AccuracyWindow,
			"id":     r.ID, "reason": r.Reason, "text": r.Text, "at": r.At,
		}
		var isDeleted bool
		if err := tx.QueryRow(ctx, isDeletedSQL, args).Scan(&isDeleted); err != nil {
			return err
		}
		if isDeleted { // since the request began
			return event.ErrPlayerDeleted
		}
		if _, err := tx.Exec(ctx, lockReporterSQL, args); err != nil {
			return err
		}
		if r.CaseID, err = openCase(ctx, tx, subject, r.At); err != nil {
			return err
		}
		args["case"] = r.CaseID
		existing, err := findOwnReport(ctx, tx, args)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
		case err != nil:
			return err
		case existing.Reason == r.Reason && existing.Text == r.Text: // the answer was lost
			r.ID, r.At = existing.ID, existing.At
			return nil
		default:
			return moderation.ErrReportExists.WithData("_id", existing.ID)
		}
		var today int
		var oldest *time.Time
		if err := tx.QueryRow(ctx, countReportsSQL, args).Scan(&today, &oldest); err != nil {
			return err
		}
		if today >= moderation.MaxReports {
			return moderation.ErrReportsFull.WithRetryAfter(oldest.Add(reportPeriod).Sub(r.At))
		}
		if err := tx.QueryRow(ctx, accuracySQL, args).Scan(&r.Accuracy.Confirmed, &r.Accuracy.Closed); err != nil {
			return err
		}
		args["weight"] = r.Accuracy.Weight()
		batch := &pgx.Batch{}
		batch.Queue(insertReportSQL, args)
		batch.Queue(countReportSQL, args)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		return audit.Append(ctx, tx, audit.Entry{
			By: by, Action: access.Report, Target: subject.ID,
			After: map[string]any{
				"caseId": r.CaseID, "kind": subject.Kind, "reason": r.Reason, "playerId": subject.PlayerID,
			},
		})
	})
	if err != nil {
		return moderation.Report{}, fmt.Errorf("report by player %s: %w", r.ReporterID, err)
	}
	return r, nil
}

// findOwnReport returns the report that a player has made in a case, or pgx.ErrNoRows.
func findOwnReport(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) (r moderation.Report, err error) {
	err = tx.QueryRow(ctx, ownReportSQL, args).Scan(&r.ID, &r.Reason, &r.Text, &r.At)
	return r, err
}

const (
	insertFlagSQL = `
		insert into flags (id, record_id, case_id, kind, silent, numbers, created_at)
		values (@id, @record, @case, @kind, @silent, @numbers, @at)`
	countFlagSQL = `update cases set flags = flags + 1, priority = priority + @weight where id = @case`
)

// AddFlags implements moderation.FlagStore.
func (s *Store) AddFlags(ctx context.Context, f moderation.Flagging) error {
	if len(f.Flags) == 0 {
		return nil
	}
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		subject, err := resolve(ctx, tx, f.Subject)
		if err != nil {
			return err
		}
		precisions, err := s.In(tx).FlagPrecisions(ctx)
		if err != nil {
			return err
		}
		silent := map[moderation.FlagKind]bool{}
		for _, p := range precisions {
			silent[p.Kind] = p.IsSilent()
		}
		var caseID string
		for _, flag := range f.Flags {
			if !silent[flag.Kind] && caseID == "" {
				if caseID, err = openCase(ctx, tx, subject, flag.At); err != nil {
					return err
				}
			}
		}
		batch := &pgx.Batch{}
		for _, flag := range f.Flags {
			args := pgx.NamedArgs{
				"id": flag.ID, "record": subject.ID, "case": orNull(caseID), "kind": flag.Kind, "silent": silent[flag.Kind],
				"numbers": flag.Numbers, "at": flag.At, "weight": moderation.FlagWeight,
			}
			batch.Queue(insertFlagSQL, args)
			if !silent[flag.Kind] {
				batch.Queue(countFlagSQL, args)
			}
		}
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return fmt.Errorf("flags of record %s: %w", f.Subject.ID, err)
	}
	return nil
}
