package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const decisionColumns = `d.id, d.kind, d.subject_kind, d.subject_id, coalesce(d.player_id::text, ''),
	coalesce(d.map_id::text, ''), coalesce(d.finish_time, 0), d.by_id, d.public_reason, d.text, d.state, d.refusal_code,
	d.refusal_message, d.until, d.keep_records, coalesce(d.into_id::text, ''), coalesce(d.case_id::text, ''),
	coalesce(d.undoes::text, ''),
	coalesce((select u.id from decisions u where u.undoes = d.id and u.state <> 'refused')::text, ''), d.needless,
	d.created_at`

func scanDecision(row pgx.CollectableRow) (d moderation.Decision, err error) {
	targets := append([]any{&d.ID, &d.Kind}, subjectTargets(&d.Subject)...)
	err = row.Scan(append(targets, &d.ByID, &d.PublicReason, &d.Text, &d.State, &d.RefusalCode, &d.RefusalMessage,
		(*zeronull.Timestamptz)(&d.Until), &d.KeepRecords, &d.IntoID, &d.CaseID, &d.Undoes, &d.UndoneBy, &d.Needless,
		&d.At)...)
	return d, err
}

const (
	selectDecisions    = `select ` + decisionColumns + ` from decisions d where `
	newestDecisions    = ` order by d.created_at desc, d.id limit @limit`
	decisionSQL        = selectDecisions + `d.id = @id`
	decisionsSQL       = selectDecisions + `d.id = any (@ids)`
	lockDecisionSQL    = `select from decisions where id = @id for update`
	decisionsOfCaseSQL = selectDecisions + `d.case_id = @id` + newestDecisions
	decisionsAboutSQL  = selectDecisions + `d.player_id = @id` + newestDecisions
	ownDecisionsSQL    = selectDecisions + `d.player_id = @id and d.kind <> all (@hidden)` + newestDecisions
)

// Decision implements moderation.DecisionStore.
func (s *Store) Decision(ctx context.Context, id string) (moderation.Decision, error) {
	d, err := postgres.CollectOne(ctx, s.db, scanDecision, decisionSQL, pgx.NamedArgs{"id": id})
	return d, postgres.ReadError(err, moderation.ErrDecisionUnknown, "decision %s", id)
}

// lockDecision locks a decision and returns it, or moderation.ErrDecisionUnknown. It is read by a statement of its own,
// which sees what was committed while lockDecisionSQL waited, also that the decision was undone.
func (s *Store) lockDecision(ctx context.Context, tx pgx.Tx, id string) (moderation.Decision, error) {
	if err := tx.QueryRow(ctx, lockDecisionSQL, pgx.NamedArgs{"id": id}).Scan(); err != nil {
		return moderation.Decision{}, postgres.ReadError(err, moderation.ErrDecisionUnknown, "lock decision %s", id)
	}
	return s.In(tx).Decision(ctx, id)
}

// Decisions implements moderation.DecisionStore.
func (s *Store) Decisions(ctx context.Context, ids []string) (map[string]moderation.Decision, error) {
	decisions, err := postgres.CollectBy(ctx, s.db, func(d moderation.Decision) string { return d.ID },
		scanDecision, decisionsSQL, pgx.NamedArgs{"ids": ids})
	return decisions, postgres.Wrap(err, "decisions of appeals")
}

// DecisionsOfCase implements moderation.DecisionStore.
func (s *Store) DecisionsOfCase(ctx context.Context, caseID string, limit int) ([]moderation.Decision, error) {
	return s.decisions(ctx, decisionsOfCaseSQL, pgx.NamedArgs{"id": caseID, "limit": limit})
}

// DecisionsAbout implements moderation.DecisionStore.
func (s *Store) DecisionsAbout(ctx context.Context, playerID string, limit int) ([]moderation.Decision, error) {
	return s.decisions(ctx, decisionsAboutSQL, pgx.NamedArgs{"id": playerID, "limit": limit})
}

// OwnDecisions implements moderation.DecisionStore.
func (s *Store) OwnDecisions(ctx context.Context, playerID string, limit int) ([]moderation.Decision, error) {
	return s.decisions(ctx, ownDecisionsSQL,
		pgx.NamedArgs{"id": playerID, "hidden": moderation.KindsOfReports, "limit": limit})
}

func (s *Store) decisions(ctx context.Context, sql string, args pgx.NamedArgs) ([]moderation.Decision, error) {
	list, err := postgres.Collect(ctx, s.db, scanDecision, sql, args)
	return list, postgres.Wrap(err, "decisions of %s", args["id"])
}

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
