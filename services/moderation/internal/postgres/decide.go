package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

// lockSubjectSQL makes decisions about one thing wait for each other, so that a repeated one finds the first.
const lockSubjectSQL = `select pg_advisory_xact_lock(hashtextextended('decide about ' || @subject, 0))`

// Decide implements moderation.DecisionStore.
func (s *Store) Decide(
	ctx context.Context, asked moderation.Decision, rule func(moderation.Locked) (moderation.Change, error),
) (decided moderation.Decision, err error) {
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		l, err := s.lockSubject(ctx, tx, asked)
		if err != nil {
			return err
		}
		change, err := rule(l)
		if err != nil {
			return err
		}
		decided = change.Decision
		if change.IsRepeated {
			return nil
		}
		return save(ctx, tx, l, change)
	})
	return decided, postgres.Wrap(err, "decide about %s %s", asked.Subject.Kind, asked.Subject.ID)
}

// lockSubject locks the subject of a new decision, and returns what its outcome depends on. The decision in it has whom
// its players were merged into.
func (s *Store) lockSubject(
	ctx context.Context, tx pgx.Tx, asked moderation.Decision,
) (l moderation.Locked, err error) {
	if l.Decision, err = resolveDecision(ctx, tx, asked); err != nil {
		return l, err
	}
	d := l.Decision
	if _, err := tx.Exec(ctx, lockSubjectSQL, pgx.NamedArgs{"subject": d.Subject.ID}); err != nil {
		return l, err
	}
	if d.Undoes != "" {
		err = s.lockUndone(ctx, tx, &l)
	} else {
		l.Repeated, err = findRepeated(ctx, tx, d)
	}
	if err != nil {
		return l, err
	}
	if err := lockHidings(ctx, tx, &l); err != nil {
		return l, err
	}
	if d.CaseID != "" && d.Undoes == "" {
		if l.Case, err = lockCase(ctx, tx, d.CaseID); err != nil {
			return l, err
		}
	}
	if d.Subject.PlayerID != "" {
		l.Player, err = s.In(tx).Player(ctx, d.Subject.PlayerID)
		if err != nil && !errors.Is(err, moderation.ErrPlayerUnknown) {
			return l, err
		}
	}
	return l, s.readReported(ctx, tx, &l)
}

// resolveDecision returns the decision with whom its players were merged into.
func resolveDecision(
	ctx context.Context, tx pgx.Tx, d moderation.Decision,
) (_ moderation.Decision, err error) {
	if d.Subject, err = resolve(ctx, tx, d.Subject); err != nil {
		return d, err
	}
	if d.ByID, err = copies.Current(ctx, tx, d.ByID); err != nil {
		return d, err
	}
	d.IntoID, err = copies.Current(ctx, tx, d.IntoID)
	return d, err
}

const laterDecisionsSQL = `
	select ` + decisionColumns + ` from decisions d
	where (d.subject_id = @subject or d.player_id = @player) and d.kind in (@kind, @inverse) and d.created_at > @at
	order by d.created_at, d.id`

// lockUndone locks and reads the decision that is undone, with what has undone it and what came after it.
func (s *Store) lockUndone(ctx context.Context, tx pgx.Tx, l *moderation.Locked) error {
	undone, err := s.lockDecision(ctx, tx, l.Decision.Undoes)
	if err != nil {
		return err
	}
	l.Undone = &undone
	if undone.UndoneBy != "" {
		first, err := s.In(tx).Decision(ctx, undone.UndoneBy)
		if err != nil {
			return err
		}
		l.Repeated = &first
	}
	l.Later, err = postgres.Collect(ctx, tx, scanDecision, laterDecisionsSQL, pgx.NamedArgs{
		"subject": undone.Subject.ID, "player": zeronull.Text(undone.Subject.PlayerID), "kind": undone.Kind,
		"inverse": l.Decision.Kind,
		"at":      undone.At,
	})
	return err
}

const findRepeatedSQL = `
	select ` + decisionColumns + ` from decisions d
	where d.subject_id = @subject and d.subject_kind = @subject_kind and d.kind = @kind and d.by_id = @by
		and d.public_reason = @public_reason and d.text = @text and d.case_id is not distinct from @case
		and d.into_id is not distinct from @into and d.undoes is null and d.state <> 'refused' and d.created_at > @since
		and (d.kind <> 'ban' or d.keep_records = @keep_records and d.until is not distinct from @until)
		and not exists (select from decisions u where u.undoes = d.id and u.state <> 'refused')
		and not exists (
			select from decisions l
			where l.subject_id = d.subject_id and l.created_at > d.created_at and l.undoes is null and l.state <> 'refused')
	order by d.created_at desc
	limit 1`

// findRepeated returns the decision that the same request has made before: the same moderator has decided the same
// about the same in the last moderation.RepeatPeriod, and it was neither refused nor undone, nor decided about again.
func findRepeated(ctx context.Context, tx pgx.Tx, d moderation.Decision) (*moderation.Decision, error) {
	first, err := postgres.CollectOne(ctx, tx, scanDecision, findRepeatedSQL, subjectArgs(d.Subject, pgx.NamedArgs{
		"kind": d.Kind, "by": d.ByID, "public_reason": d.PublicReason, "text": d.Text, "case": zeronull.Text(d.CaseID),
		"into": zeronull.Text(d.IntoID), "since": d.At.Add(-moderation.RepeatPeriod), "keep_records": d.KeepRecords,
		"until": zeronull.Timestamptz(d.Until),
	}))
	if err != nil {
		return nil, postgres.ReadError(err, nil, "repeated decision about %s", d.Subject.ID)
	}
	return &first, nil
}

const reportersOfCaseSQL = `select reporter_id from reports where case_id = @case order by created_at, id`

// readReported reads who has reported in the case of a decision, another open case about the same thing, and the open
// appeal against what the decision undoes, or the one that it has granted, which it locks.
func (s *Store) readReported(ctx context.Context, tx pgx.Tx, l *moderation.Locked) (err error) {
	d := l.Decision
	if d.CaseID != "" {
		l.Reporters, err = postgres.Collect(ctx, tx, pgx.RowTo[string], reportersOfCaseSQL,
			pgx.NamedArgs{"case": d.CaseID})
	}
	if err == nil {
		l.OpenCaseID, err = findOpenCase(ctx, tx, d)
	}
	if err == nil && d.Undoes != "" {
		l.Appeal, err = s.lockAppealOf(ctx, tx, d)
	}
	return err
}

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
func save(ctx context.Context, tx pgx.Tx, l moderation.Locked, c moderation.Change) error {
	d := c.Decision
	args := subjectArgs(d.Subject, pgx.NamedArgs{
		"id": d.ID, "kind": d.Kind, "by": d.ByID, "public_reason": d.PublicReason, "text": d.Text, "state": d.State,
		"refusal_code": d.RefusalCode, "refusal_message": d.RefusalMessage, "until": zeronull.Timestamptz(d.Until),
		"keep_records": d.KeepRecords, "into": zeronull.Text(d.IntoID), "case": zeronull.Text(d.CaseID),
		"undoes":   zeronull.Text(d.Undoes),
		"needless": d.Needless, "at": d.At,
	})
	args["subjects"] = postgres.Column(c.Commands, func(to moderation.Command) string { return to.Name })
	args["states"] = postgres.Column(c.Commands, func(to moderation.Command) string { return string(to.State) })
	statements := []string{saveDecisionSQL, saveCommandsSQL}
	if c.ClosesCase {
		statements = append(statements, closeCaseSQL)
	}
	if err := postgres.ExecBatch(ctx, tx, args, statements...); err != nil {
		return err
	}
	if err := endHidings(ctx, tx, c.Shown); err != nil {
		return err
	}
	if err := changeReports(ctx, tx, d, c.Reports, l.OpenCaseID); err != nil {
		return err
	}
	if err := changeAppeal(ctx, tx, l.Appeal, c); err != nil {
		return err
	}
	if err := audit.Append(ctx, tx, c.Entries...); err != nil {
		return err
	}
	var events []outbox.Event
	if c.Send != nil {
		events = append(events, c.Send)
	}
	for _, fact := range c.Facts {
		events = append(events, fact)
	}
	return outbox.Append(ctx, tx, events...)
}

const (
	grantAppealSQL = `
		update appeals set state = 'granted', answered_at = @at, waiting_since = null, granted_by = @decision where id = @id`
	ungrantAppealSQL = `
		update appeals set state = 'open', answered_at = null, granted_by = null, waiting_since = @now where id = @id`
	deleteAnswerSQL = `delete from appeal_messages where id = @decision`
)

// changeAppeal grants an appeal by a decision, or opens it again. The answer has the id of the decision.
func changeAppeal(ctx context.Context, tx pgx.Tx, appeal *moderation.Appeal, c moderation.Change) error {
	if appeal == nil {
		return nil
	}
	args := pgx.NamedArgs{"id": appeal.ID, "decision": c.Decision.ID, "at": c.Decision.At, "now": time.Now()}
	switch {
	case c.Answer != nil:
		if _, err := tx.Exec(ctx, grantAppealSQL, args); err != nil {
			return err
		}
		return insertMessage(ctx, tx, appeal.ID, *c.Answer)
	case c.TakesAnswerBack:
		return postgres.ExecBatch(ctx, tx, args, ungrantAppealSQL, deleteAnswerSQL)
	}
	return nil
}
