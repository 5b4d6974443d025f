package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	saveDecisionSQL = `
		insert into decisions (id, kind, subject_kind, subject_id, player_id, map_id, finish_time, by_id, public_reason, text,
			state, refusal_code, refusal_message, until, keep_records, into_id, case_id, undoes, needless, created_at)
		values (@id, @kind, @subject_kind, @subject, @player, @map, @finish_time, @by, @public_reason, @text,
			@state, @refusal_code, @refusal_message, @until, @keep_records, @into, @case, @undoes, @needless, @at)
		on conflict (id) do update set
			state = excluded.state, refusal_code = excluded.refusal_code, refusal_message = excluded.refusal_message,
			needless = excluded.needless`
	saveCommandsSQL = `
		insert into decision_commands (decision_id, position, subject, state)
		select @id, c.position, c.subject, c.state
		from unnest(@subjects::text[], @states::text[]) with ordinality as c (subject, state, position)
		on conflict (decision_id, position) do update set state = excluded.state`
	closeCaseSQL = `
		update cases set open = false, closed_at = @at, decision_id = @id, claimed_by = null, claimed_until = null
		where id = @case`
)

// save stores what becomes of a decision.
func save(ctx context.Context, tx pgx.Tx, c moderation.Change) error {
	if c.IsRepeated {
		return nil
	}
	d := c.Decision
	args := subjectArgs(d.Subject, pgx.NamedArgs{
		"id": d.ID, "kind": d.Kind, "by": d.ByID, "public_reason": d.PublicReason, "text": d.Text, "state": d.State,
		"refusal_code": d.RefusalCode, "refusal_message": d.RefusalMessage, "until": zeronull.Timestamptz(d.Until),
		"keep_records": d.KeepRecords, "into": zeronull.Text(d.IntoID), "case": zeronull.Text(d.CaseID),
		"undoes": zeronull.Text(d.Undoes), "needless": d.Needless, "at": d.At,
		"subjects": postgres.Column(c.Commands, func(to moderation.Command) string { return to.Name }),
		"states":   postgres.Column(c.Commands, func(to moderation.Command) string { return string(to.State) }),
		"shown":    c.Shown, "hide": event.HidePlayerSubject,
		"confirmed": c.Reports == moderation.ReportsConfirmed, "other": zeronull.Text(c.MovedTo),
		"flag_weight": moderation.FlagWeight,
	})
	statements := []string{saveDecisionSQL, saveCommandsSQL, endHidingsSQL}
	if c.ClosesCase {
		statements = append(statements, closeCaseSQL)
	}
	statements = append(statements, reportsSQL[c.Reports]...)
	if err := postgres.ExecBatch(ctx, tx, args, statements...); err != nil {
		return err
	}
	if err := changeAppeal(ctx, tx, c); err != nil {
		return err
	}
	var events []outbox.Event
	if c.Send != nil {
		events = append(events, c.Send)
	}
	for _, fact := range c.Facts {
		events = append(events, fact)
	}
	if err := outbox.Append(ctx, tx, events...); err != nil {
		return err
	}
	return audit.Append(ctx, tx, c.Entries...)
}

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

const deleteAnswerSQL = `delete from appeal_messages where id = @decision`

// changeAppeal stores an appeal that a decision grants or opens again. The answer has the id of the decision.
func changeAppeal(ctx context.Context, tx pgx.Tx, c moderation.Change) error {
	appeal := c.Appeal
	switch {
	case appeal == nil:
		return nil
	case appeal.State == moderation.AppealOpen:
		if _, err := tx.Exec(ctx, deleteAnswerSQL, pgx.NamedArgs{"decision": c.Decision.ID}); err != nil {
			return err
		}
		return saveAppeal(ctx, tx, *appeal, "", saveAppealSQL)
	}
	return saveAppeal(ctx, tx, *appeal, c.Decision.ID, saveAppealSQL, insertMessageSQL)
}
