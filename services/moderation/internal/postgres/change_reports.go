package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	closeReportsSQL = `
		update reports set confirmed = @confirmed, closed_at = coalesce(closed_at, @at) where case_id = @case`
	closeFlagsSQL = `
		update flags set confirmed = @confirmed, closed_at = coalesce(closed_at, @at) where case_id = @case`
	reopenReportsSQL = `update reports set confirmed = null, closed_at = null where case_id = @case`
	reopenFlagsSQL   = `update flags set confirmed = null, closed_at = null where case_id = @case`
	reopenCaseSQL    = `update cases set open = true, closed_at = null, decision_id = null where id = @case`
	// dropReportsSQL leaves the later one of two reports of a player.
	dropReportsSQL = `
		delete from reports r using reports o
		where r.case_id = @case and o.case_id = @other and o.reporter_id = r.reporter_id`
	moveReportsSQL = `update reports set case_id = @other where case_id = @case`
	moveFlagsSQL   = `update flags set case_id = @other where case_id = @case`
	recountCaseSQL = `
		update cases c set reports = r.count, flags = f.count, priority = r.weight + f.count * @flag_weight
		from (select count(*) as count, coalesce(sum(weight), 0) as weight from reports where case_id = @other) r,
			(select count(*) as count from flags where case_id = @other) f
		where c.id = @other`
)

// reportsSQL are the statements of each change of reports and flags.
var reportsSQL = map[moderation.ReportsChange][]string{
	moderation.ReportsConfirmed: {closeReportsSQL, closeFlagsSQL},
	moderation.ReportsRejected:  {closeReportsSQL, closeFlagsSQL},
	moderation.ReportsReopened:  {reopenReportsSQL, reopenFlagsSQL, reopenCaseSQL},
	moderation.ReportsMoved: {
		reopenReportsSQL, reopenFlagsSQL, dropReportsSQL, moveReportsSQL, moveFlagsSQL, recountCaseSQL,
	},
}

// changeReports stores what becomes of the reports and flags of a case. The other case is the open one about the same
// thing, or empty.
func changeReports(
	ctx context.Context, tx pgx.Tx, d moderation.Decision, change moderation.ReportsChange, otherCaseID string,
) error {
	args := pgx.NamedArgs{
		"case": d.CaseID, "other": zeronull.Text(otherCaseID), "at": d.At, "flag_weight": moderation.FlagWeight,
		"confirmed": change == moderation.ReportsConfirmed,
	}
	return postgres.ExecBatch(ctx, tx, args, reportsSQL[change]...)
}
