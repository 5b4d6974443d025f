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

const decisionColumns = `d.id, d.kind, ` + subjectColumns + `, d.by_id, d.public_reason, d.text, d.state,
	d.refusal_code, d.refusal_message, d.until, d.keep_records, coalesce(d.into_id::text, ''),
	coalesce(d.case_id::text, ''), coalesce(d.undoes::text, ''),
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
func (s *Store) Decide(ctx context.Context, n moderation.NewDecision) (decided moderation.Decision, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		n, err := lockSubject(ctx, tx, n)
		if err != nil {
			return err
		}
		before, err := s.readUndecided(ctx, tx, n.Decision)
		if err != nil {
			return err
		}
		after, err := before.Decide(n)
		if err != nil {
			return err
		}
		decided = after.Decision
		return save(ctx, tx, after)
	})
	return decided, postgres.Wrap(err, "decide about %s %s", n.Decision.Subject.Kind, n.Decision.Subject.ID)
}

// Undo implements moderation.DecisionStore.
func (s *Store) Undo(ctx context.Context, n moderation.NewDecision) (decided moderation.Decision, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		n, err := lockSubject(ctx, tx, n)
		if err != nil {
			return err
		}
		before, err := s.readUndoable(ctx, tx, n.Decision)
		if err != nil {
			return err
		}
		after, err := before.Undo(n)
		if err != nil {
			return err
		}
		decided = after.Decision
		return save(ctx, tx, after)
	})
	return decided, postgres.Wrap(err, "undo decision %s", n.Decision.Undoes)
}

// lockSubject locks the subject of a new decision, and returns the decision with whom its players were merged into. It
// returns access.ErrDeleted.
func lockSubject(ctx context.Context, tx pgx.Tx, n moderation.NewDecision) (_ moderation.NewDecision, err error) {
	d, by := &n.Decision, &n.By
	if by.Actor.ID, err = copies.LockWriter(ctx, tx, by.Actor.ID); err != nil {
		return n, err
	}
	d.ByID = by.Actor.ID
	if d.Subject, err = resolve(ctx, tx, d.Subject); err != nil {
		return n, err
	}
	if d.IntoID, err = copies.Current(ctx, tx, d.IntoID); err != nil {
		return n, err
	}
	_, err = tx.Exec(ctx, lockSubjectSQL, pgx.NamedArgs{"subject": d.Subject.ID})
	return n, err
}

// readUndecided locks and returns what the outcome of a new decision depends on.
func (s *Store) readUndecided(
	ctx context.Context, tx pgx.Tx, d moderation.Decision,
) (u moderation.Undecided, err error) {
	if u.Repeated, err = findRepeated(ctx, tx, d); err != nil {
		return u, err
	}
	if u.Hidings, err = lockHidings(ctx, tx, d); err != nil {
		return u, err
	}
	if d.CaseID != "" {
		if u.Case, err = lockCase(ctx, tx, d.CaseID); err != nil {
			return u, err
		}
	}
	if d.Subject.PlayerID != "" {
		u.Player, err = s.In(tx).Player(ctx, d.Subject.PlayerID)
		if err != nil && !errors.Is(err, moderation.ErrPlayerUnknown) {
			return u, err
		}
	}
	u.Involved, err = s.readInvolved(ctx, tx, d)
	return u, err
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

const laterDecisionsSQL = `
	select ` + decisionColumns + ` from decisions d
	where (d.subject_id = @subject or d.player_id = @player) and d.kind in (@kind, @inverse) and d.created_at > @at
	order by d.created_at, d.id`

// readUndoable locks and returns the decision that another one undoes, with what the outcome depends on.
func (s *Store) readUndoable(ctx context.Context, tx pgx.Tx, d moderation.Decision) (u moderation.Undoable, err error) {
	if u.Hidings, err = lockHidings(ctx, tx, d); err != nil {
		return u, err
	}
	if u.Decision, err = s.lockDecision(ctx, tx, d.Undoes); err != nil {
		return u, err
	}
	if id := u.Decision.UndoneBy; id != "" {
		first, err := s.In(tx).Decision(ctx, id)
		if err != nil {
			return u, err
		}
		u.UndoneBy = &first
	}
	subject := u.Decision.Subject
	u.Later, err = postgres.Collect(ctx, tx, scanDecision, laterDecisionsSQL, pgx.NamedArgs{
		"subject": subject.ID, "player": zeronull.Text(subject.PlayerID), "kind": u.Decision.Kind, "inverse": d.Kind,
		"at": u.Decision.At,
	})
	if err != nil {
		return u, err
	}
	u.Involved, err = s.readInvolved(ctx, tx, d)
	return u, err
}

const reportersOfCaseSQL = `select reporter_id from reports where case_id = @case order by created_at, id`

// readInvolved locks and returns what a decision changes besides its subject.
func (s *Store) readInvolved(ctx context.Context, tx pgx.Tx, d moderation.Decision) (i moderation.Involved, err error) {
	if d.CaseID != "" {
		i.Reporters, err = postgres.Collect(ctx, tx, pgx.RowTo[string], reportersOfCaseSQL, pgx.NamedArgs{"case": d.CaseID})
	}
	if err == nil {
		i.OpenCaseID, err = findOpenCase(ctx, tx, d)
	}
	if err == nil && d.Undoes != "" {
		i.Appeal, err = s.lockAppealOf(ctx, tx, d)
	}
	return i, err
}
