package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const decisionColumns = `d.id, d.kind, d.subject_kind, d.subject_id, coalesce(d.player_id::text, ''),
	coalesce(d.map_id::text, ''), coalesce(d.finish_time, 0), d.by_id, d.public_reason, d.text, d.state, d.refusal_code,
	d.refusal_message, d.until, d.keep_records, coalesce(d.into_id::text, ''), coalesce(d.case_id::text, ''),
	coalesce(d.undoes::text, ''),
	coalesce((select u.id from decisions u where u.undoes = d.id and u.state <> 'refused')::text, ''),
	d.kind in ('ban', 'unban') and d.state = 'carried_out' and not exists (
		select from decision_commands c where c.decision_id = d.id and c.position = 0 and c.state <> 'needless'),
	d.created_at`

func scanDecision(row pgx.CollectableRow) (d moderation.Decision, err error) {
	var until *time.Time
	targets := append([]any{&d.ID, &d.Kind}, subjectTargets(&d.Subject)...)
	err = row.Scan(append(targets, &d.ByID, &d.PublicReason, &d.Text, &d.State, &d.RefusalCode, &d.RefusalMessage, &until,
		&d.KeepRecords, &d.IntoID, &d.CaseID, &d.Undoes, &d.UndoneBy, &d.Needless, &d.At)...)
	d.Until, d.At = timeOrZero(until), d.At.UTC()
	return d, err
}

const (
	decisionSQL        = `select ` + decisionColumns + ` from decisions d where d.id = @id`
	decisionsSQL       = `select ` + decisionColumns + ` from decisions d where d.id = any (@ids)`
	lockDecisionSQL    = `select from decisions where id = @id for update`
	decisionsOfCaseSQL = `
		select ` + decisionColumns + ` from decisions d where d.case_id = @id order by d.created_at desc, d.id limit @limit`
	decisionsAboutSQL = `
		select ` + decisionColumns + ` from decisions d where d.player_id = @id order by d.created_at desc, d.id limit @limit`
	ownDecisionsSQL = `
		select ` + decisionColumns + ` from decisions d where d.player_id = @id and d.kind <> all (@hidden)
		order by d.created_at desc, d.id limit @limit`
)

// Decision implements moderation.DecisionStore.
func (s *Store) Decision(ctx context.Context, id string) (moderation.Decision, error) {
	d, err := postgres.CollectOne(ctx, s.db, scanDecision, decisionSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return moderation.Decision{}, fmt.Errorf("decision %s: %w", id, orMissing(err, moderation.ErrDecisionUnknown))
	}
	return d, nil
}

// lockDecision locks a decision and returns it, or moderation.ErrDecisionUnknown. It is read by a statement of its own,
// which sees what was committed while lockDecisionSQL waited, also that the decision was undone.
func (s *Store) lockDecision(ctx context.Context, tx pgx.Tx, id string) (moderation.Decision, error) {
	if err := tx.QueryRow(ctx, lockDecisionSQL, pgx.NamedArgs{"id": id}).Scan(); err != nil {
		return moderation.Decision{}, orMissing(err, moderation.ErrDecisionUnknown)
	}
	return s.In(tx).Decision(ctx, id)
}

// Decisions implements moderation.DecisionStore.
func (s *Store) Decisions(ctx context.Context, ids []string) (map[string]moderation.Decision, error) {
	decisions, err := postgres.Collect(ctx, s.db, scanDecision, decisionsSQL, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("decisions of appeals: %w", err)
	}
	byID := map[string]moderation.Decision{}
	for _, d := range decisions {
		byID[d.ID] = d
	}
	return byID, nil
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
	if err != nil {
		return nil, fmt.Errorf("decisions of %s: %w", args["id"], err)
	}
	return list, nil
}

const (
	// lockSubjectSQL lets of two equal decisions at once the second find the first.
	lockSubjectSQL = `select pg_advisory_xact_lock(hashtextextended('decide about ' || @subject, 0))`

	lockCaseSQL  = `select open, coalesce(claimed_by::text, '') from cases where id = @id for update`
	closeCaseSQL = `
		update cases set open = false, closed_at = @at, decision_id = @decision, claimed_by = null, claimed_until = null
		where id = @id`
	openCaseSQL = `select id from cases where subject_kind = @subject_kind and subject_id = @subject and open`
)

// Decide implements moderation.DecisionStore.
func (s *Store) Decide(
	ctx context.Context, d moderation.Decision, by access.Attribution, note map[string]any,
) (moderation.Decision, error) {
	err := s.inTx(ctx, func(tx pgx.Tx) (err error) {
		if d, err = resolveDecision(ctx, tx, d); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, lockSubjectSQL, pgx.NamedArgs{"subject": d.Subject.ID}); err != nil {
			return err
		}
		switch first, err := s.In(tx).FindRepeated(ctx, d); {
		case err == nil && (first.State == moderation.Pending || !first.IsSwitch() && first.Kind != moderation.Ban):
			d = first
			return nil
		case err != nil && !errors.Is(err, moderation.ErrDecisionUnknown):
			return err
		} // what was carried out and applies again is not repeated
		if err := checkNotDeleted(ctx, tx, d); err != nil {
			return err
		}
		if d.CaseID != "" {
			err = closeCase(ctx, tx, d)
		} else {
			err = checkNoOpenCase(ctx, tx, d.Subject)
		}
		if err != nil {
			return err
		}
		note["decision"] = d.Kind
		if d.CaseID != "" {
			note["caseId"] = d.CaseID
		}
		if d.Kind == moderation.Ban {
			note["keepRecords"] = d.KeepRecords
		}
		if !d.Until.IsZero() {
			note["until"] = d.Until
		}
		if d.IntoID != "" {
			note["intoId"] = d.IntoID
		}
		entry := audit.Entry{By: by, Action: access.Decide, Target: d.Subject.ID, After: note}
		if err := audit.Append(ctx, tx, entry); err != nil {
			return err
		}
		d, err = insertDecision(ctx, tx, d, by, false)
		return err
	})
	if err != nil {
		return moderation.Decision{}, fmt.Errorf("decide about %s %s: %w", d.Subject.Kind, d.Subject.ID, err)
	}
	return d, nil
}

// resolveDecision returns the decision with whom its players were merged into.
func resolveDecision(
	ctx context.Context, tx pgx.Tx, d moderation.Decision,
) (_ moderation.Decision, err error) {
	if d.Subject, err = resolve(ctx, tx, d.Subject); err != nil {
		return d, err
	}
	if d.ByID, err = mergedInto(ctx, tx, d.ByID); err != nil {
		return d, err
	}
	if d.IntoID, err = mergedInto(ctx, tx, d.IntoID); err != nil {
		return d, err
	}
	if d.IntoID != "" && d.IntoID == d.PlayerID {
		return d, moderation.ErrMergeInto
	}
	return d, nil
}

// checkNotDeleted returns moderation.ErrNotApplicable for a decision that would do nothing to a player whose account
// was deleted.
func checkNotDeleted(ctx context.Context, tx pgx.Tx, d moderation.Decision) error {
	if d.Kind != moderation.Ban && d.Kind != moderation.Warn {
		return nil
	}
	var isDeleted bool
	err := tx.QueryRow(ctx, isDeletedSQL, pgx.NamedArgs{"player": orNull(d.PlayerID)}).Scan(&isDeleted)
	if err == nil && isDeleted {
		err = moderation.ErrNotApplicable
	}
	return err
}

// closeCase closes the case of a decision, which has to be claimed by the moderator.
func closeCase(ctx context.Context, tx pgx.Tx, d moderation.Decision) error {
	args := pgx.NamedArgs{"id": d.CaseID, "at": d.At, "decision": d.ID}
	var open bool
	var claimedBy string
	if err := tx.QueryRow(ctx, lockCaseSQL, args).Scan(&open, &claimedBy); err != nil {
		return orMissing(err, moderation.ErrCaseUnknown)
	}
	// A claim that has ended still counts while nobody else has the case.
	if !open || claimedBy != d.ByID {
		return whyNotClaimed(ctx, tx, d.CaseID, d.At)
	}
	_, err := tx.Exec(ctx, closeCaseSQL, args)
	return err
}

// checkNoOpenCase returns moderation.ErrCaseOpen where a case about the subject is open.
func checkNoOpenCase(ctx context.Context, tx pgx.Tx, subject moderation.Subject) error {
	var id string
	err := tx.QueryRow(ctx, openCaseSQL, pgx.NamedArgs{"subject_kind": subject.Kind, "subject": subject.ID}).Scan(&id)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return moderation.ErrCaseOpen.WithData("_id", id)
}

const (
	insertDecisionSQL = `
		insert into decisions (id, kind, subject_kind, subject_id, player_id, map_id, finish_time, by_id, public_reason, text,
			state, until, keep_records, into_id, case_id, undoes, created_at)
		values (@id, @kind, @subject_kind, @subject, @player, @map, @finish_time, @by, @public_reason, @text,
			'pending', @until, @keep_records, @into, @case, @undoes, @at)`
	insertCommandSQL = `
		insert into decision_commands (decision_id, position, subject, body, state)
		values (@id, @position, @command, @body, @state)`
	bannedUntilSQL   = `select banned_until from players where id = @player and banned`
	isHiddenByBanSQL = `select exists (select from hidden_by_bans where player_id = @player)`
)

// insertDecision stores a decision, and sends its first command. One without commands is carried out. needsNone is true
// where nothing is left to change. An unban has the end of the ban that it lifts, and otherwise that of the ban that it
// undoes.
func insertDecision(
	ctx context.Context, tx pgx.Tx, d moderation.Decision, by access.Attribution, needsNone bool,
) (moderation.Decision, error) {
	d.State = moderation.Pending
	var isHidden bool
	if d.Kind == moderation.Unban && !needsNone {
		args := pgx.NamedArgs{"player": d.PlayerID, "ended": nil}
		var until *time.Time
		switch err := tx.QueryRow(ctx, bannedUntilSQL, args).Scan(&until); {
		case err == nil:
			d.Until = timeOrZero(until)
		case !errors.Is(err, pgx.ErrNoRows):
			return d, err
		}
		if _, err := tx.Exec(ctx, endPendingBansSQL, args); err != nil {
			return d, err
		}
		if err := tx.QueryRow(ctx, isHiddenByBanSQL, args).Scan(&isHidden); err != nil {
			return d, err
		}
		d.KeepRecords = !isHidden
	}
	_, err := tx.Exec(ctx, insertDecisionSQL, subjectArgs(d.Subject, pgx.NamedArgs{
		"id": d.ID, "kind": d.Kind, "by": d.ByID, "public_reason": d.PublicReason, "text": d.Text,
		"until": timeOrNull(d.Until), "keep_records": d.KeepRecords, "into": orNull(d.IntoID), "case": orNull(d.CaseID),
		"undoes": orNull(d.Undoes), "at": d.At,
	}))
	if postgres.Violates(err, "decisions_undoes") {
		return d, moderation.ErrDecisionFinal
	}
	if err != nil {
		return d, err
	}
	var commands []event.Command
	if !needsNone {
		commands = d.Commands(by, isHidden)
	}
	for i, command := range commands {
		body, err := json.Marshal(command)
		if err != nil {
			return d, err
		}
		state := commandWaiting
		if i == 0 {
			state = commandSent
			if err := outbox.Append(ctx, tx, command); err != nil {
				return d, err
			}
		}
		_, err = tx.Exec(ctx, insertCommandSQL, pgx.NamedArgs{
			"id": d.ID, "position": i, "command": command.Subject(), "body": body, "state": state,
		})
		if err != nil {
			return d, err
		}
	}
	if len(commands) == 0 {
		return markCarriedOut(ctx, tx, d)
	}
	return d, nil
}

// The states of commands.
const (
	commandWaiting = "waiting"
	commandSent    = "sent"
	commandDone    = "done"
	// commandNeedless is the state of a command that had nothing to change.
	commandNeedless = "needless"
	commandRefused  = "refused"
)
