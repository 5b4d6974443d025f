package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	sentCommandSQL = `
		select position from decision_commands where decision_id = @id and subject = @command and state = 'sent'`
	setCommandSQL  = `update decision_commands set state = @state where decision_id = @id and position = @position`
	nextCommandSQL = `
		update decision_commands set state = 'sent'
		where decision_id = @id and position = @position + 1
		returning subject, body`
	hideByBanSQL = `
		insert into hidden_by_bans (player_id, decision_id) values (@player, @id)
		on conflict (player_id) do update set decision_id = excluded.decision_id`
	// showAfterBanSQL leaves the row of a ban that was decided after the ended one and is not over.
	showAfterBanSQL = `
		delete from hidden_by_bans h
		where h.player_id = @player
			and not exists (
				select from decisions later join decisions ended on ended.id = @ended
				where later.id = h.decision_id and later.created_at > ended.created_at
					and (later.until is null or later.until > now()))
		returning h.decision_id`
	// showByUnbanSQL leaves the row of a ban that was decided after the unban.
	showByUnbanSQL = `
		delete from hidden_by_bans h
		where h.player_id = @player
			and not exists (select from decisions d where d.id = h.decision_id and d.created_at > @at)`
	// endPendingBansSQL waits for a decision that is being settled. It leaves the bans that were decided after the ended
	// one.
	endPendingBansSQL = `
		update decisions d set ban_ended = true
		where d.player_id = @player and d.kind = 'ban' and d.state = 'pending'
			and not exists (select from decisions ended where ended.id = @ended and ended.created_at < d.created_at)`
	isBanEndedSQL = `select ban_ended from decisions where id = @id`
)

// Settle implements moderation.SettlementStore.
func (s *Store) Settle(ctx context.Context, r moderation.Settlement) (settled bool, err error) {
	if !event.IsID(r.DecisionID) { // a change without a decision
		return false, nil
	}
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"id": r.DecisionID, "command": r.Command}
		d, err := s.lockDecision(ctx, tx, r.DecisionID)
		if errors.Is(err, moderation.ErrDecisionUnknown) || err == nil && d.State != moderation.Pending {
			return nil
		}
		if err != nil {
			return err
		}
		var position int
		err = tx.QueryRow(ctx, sentCommandSQL, args).Scan(&position)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		settled = true
		args["position"], args["state"], args["player"], args["at"] = position, commandDone, orNull(d.PlayerID), d.At
		switch {
		case r.IsRefused():
			args["state"] = commandRefused
		case r.IsNeedless():
			args["state"] = commandNeedless
		}
		if _, err := tx.Exec(ctx, setCommandSQL, args); err != nil {
			return err
		}
		if r.IsRefused() {
			return markRefused(ctx, tx, d, r)
		}
		switch {
		case r.IsNeedless():
		case r.Command == event.HidePlayerSubject:
			err = noteHiddenByBan(ctx, tx, d)
		case r.Command == event.ShowPlayerSubject:
			_, err = tx.Exec(ctx, showByUnbanSQL, args)
		}
		if err != nil {
			return err
		}
		var next rawCommand
		err = tx.QueryRow(ctx, nextCommandSQL, args).Scan(&next.subject, &next.body)
		if errors.Is(err, pgx.ErrNoRows) {
			_, err = markCarriedOut(ctx, tx, d)
			return err
		}
		if err != nil {
			return err
		}
		return outbox.Append(ctx, tx, next)
	})
	if err != nil {
		return false, fmt.Errorf("settle decision %s: %w", r.DecisionID, err)
	}
	return settled, nil
}

// noteHiddenByBan notes that a ban has hidden the records of a player, or shows them again where the ban is over
// meanwhile.
func noteHiddenByBan(ctx context.Context, tx pgx.Tx, d moderation.Decision) error {
	args := pgx.NamedArgs{"id": d.ID, "player": d.PlayerID}
	var isEnded bool
	if err := tx.QueryRow(ctx, isBanEndedSQL, args).Scan(&isEnded); err != nil {
		return err
	}
	if isEnded {
		by := moderation.AfterBan(moderation.Service, d.ID)
		return outbox.Append(ctx, tx, event.ShowPlayer{Attribution: by, PlayerID: d.PlayerID})
	}
	_, err := tx.Exec(ctx, hideByBanSQL, args)
	return err
}

// rawCommand is a command as it was stored.
type rawCommand struct {
	subject string
	body    json.RawMessage
}

// Subject implements outbox.Event.
func (c rawCommand) Subject() string { return c.subject }

// MarshalJSON implements json.Marshaler.
func (c rawCommand) MarshalJSON() ([]byte, error) { return c.body, nil }

// ShowAfterBan implements moderation.SettlementStore.
func (s *Store) ShowAfterBan(ctx context.Context, playerID string, by access.Attribution) error {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		player, err := mergedInto(ctx, tx, playerID)
		if err != nil {
			return err
		}
		args := pgx.NamedArgs{"player": player, "ended": nil}
		if event.IsID(by.DecisionID) {
			args["ended"] = by.DecisionID
		}
		if _, err := tx.Exec(ctx, endPendingBansSQL, args); err != nil {
			return err
		}
		err = tx.QueryRow(ctx, showAfterBanSQL, args).Scan(&by.DecisionID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return outbox.Append(ctx, tx, event.ShowPlayer{Attribution: by, PlayerID: player})
	})
	if err != nil {
		return fmt.Errorf("show player %s after a ban: %w", playerID, err)
	}
	return nil
}

const (
	markCarriedOutSQL = `update decisions set state = 'carried_out' where id = @id`
	closeReportsSQL   = `
		update reports set confirmed = @confirmed, closed_at = coalesce(closed_at, @at) where case_id = @case
		returning reporter_id`
	closeFlagsSQL = `
		update flags set confirmed = @confirmed, closed_at = coalesce(closed_at, @at) where case_id = @case`
	reopenReportsSQL = `update reports set confirmed = null, closed_at = null where case_id = @case`
	reopenFlagsSQL   = `update flags set confirmed = null, closed_at = null where case_id = @case`
	// reopenCaseSQL leaves a case closed where another one about the same thing was opened meanwhile.
	reopenCaseSQL = `
		update cases c set open = true, closed_at = null, decision_id = null
		where c.id = @case and not c.open and not exists (
			select from cases o where o.subject_kind = c.subject_kind and o.subject_id = c.subject_id and o.open)`
	otherCaseSQL = `
		select o.id from cases c join cases o
			on o.subject_kind = c.subject_kind and o.subject_id = c.subject_id and o.open and o.id <> c.id
		where c.id = @case`
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

// reopenCase opens the case of a decision again that does not hold. Where another case about the same thing was opened
// meanwhile, reports and flags are moved to that one; of two reports of the same player the later stays.
func reopenCase(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) error {
	reopened, err := tx.Exec(ctx, reopenCaseSQL, args)
	if err != nil || reopened.RowsAffected() == 1 {
		return err
	}
	var other string
	err = tx.QueryRow(ctx, otherCaseSQL, args).Scan(&other)
	if errors.Is(err, pgx.ErrNoRows) { // a decision without a case
		return nil
	}
	if err != nil {
		return err
	}
	args["other"], args["flag_weight"] = other, moderation.FlagWeight
	batch := &pgx.Batch{}
	for _, sql := range []string{dropReportsSQL, moveReportsSQL, moveFlagsSQL, recountCaseSQL} {
		batch.Queue(sql, args)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// markCarriedOut marks a decision as carried out, says so to those whom it concerns, and judges what was reported.
func markCarriedOut(ctx context.Context, tx pgx.Tx, d moderation.Decision) (moderation.Decision, error) {
	d.State = moderation.CarriedOut
	args := pgx.NamedArgs{"id": d.ID, "case": orNull(d.CaseID), "at": d.At, "confirmed": d.Confirms()}
	if _, err := tx.Exec(ctx, markCarriedOutSQL, args); err != nil {
		return d, err
	}
	var facts []outbox.Event
	decided := decidedSubject(d)
	if d.CaseID != "" {
		reporters, err := judgeReports(ctx, tx, d, args)
		if err != nil {
			return d, err
		}
		for some := range slices.Chunk(reporters, event.MaxReceivers) {
			facts = append(facts, event.ReportClosed{
				DecisionID: d.ID, ReporterIDs: some, Decided: decided, Kind: string(d.Kind),
				PublicReason: string(d.PublicReason), Confirmed: d.Confirms(), At: d.At,
			})
		}
	}
	if d.PlayerID != "" && d.ConcernsSubject() {
		facts = append(facts, event.ModerationDecided{
			DecisionID: d.ID, PlayerID: d.PlayerID, Decided: decided, Kind: string(d.Kind),
			PublicReason: string(d.PublicReason), At: d.At,
		})
	}
	if d.Undoes != "" {
		answers, err := grantedAppeals(ctx, tx, d, decided)
		if err != nil {
			return d, err
		}
		facts = append(facts, answers...)
	}
	return d, outbox.Append(ctx, tx, facts...)
}

func decidedSubject(d moderation.Decision) event.DecidedSubject {
	return event.DecidedSubject{Kind: string(d.Subject.Kind), ID: d.Subject.ID, MapID: d.MapID, PlayerID: d.PlayerID}
}

// judgeReports says of the reports and flags of a case whether the decision confirms them, and returns those of the
// reporters who are told: all after the decision of the case, and none after it was undone.
func judgeReports(ctx context.Context, tx pgx.Tx, d moderation.Decision, args pgx.NamedArgs) ([]string, error) {
	if d.Kind == moderation.Reopen {
		batch := &pgx.Batch{}
		for _, sql := range []string{reopenReportsSQL, reopenFlagsSQL} {
			batch.Queue(sql, args)
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return nil, err
		}
		return nil, reopenCase(ctx, tx, args)
	}
	if _, err := tx.Exec(ctx, closeFlagsSQL, args); err != nil {
		return nil, err
	}
	reporters, err := postgres.Collect(ctx, tx, pgx.RowTo[string], closeReportsSQL, args)
	if d.Undoes != "" {
		return nil, err
	}
	return reporters, err
}

const (
	grantedAppealsSQL = `select id, player_id from appeals where granted_by = $1`
	ungrantAppealsSQL = `
		update appeals set state = 'open', answered_at = null, granted_by = null, waiting_since = @now
		where granted_by = @id`
	deleteAnswerSQL = `delete from appeal_messages where id = @id`
)

// grantedAppeals returns the facts of the appeals that a decision has granted.
func grantedAppeals(
	ctx context.Context, tx pgx.Tx, d moderation.Decision, decided event.DecidedSubject,
) ([]outbox.Event, error) {
	return postgres.Collect(ctx, tx, func(row pgx.CollectableRow) (outbox.Event, error) {
		fact := event.AppealAnswered{DecisionID: d.Undoes, Decided: decided, Granted: true, At: d.At}
		err := row.Scan(&fact.AppealID, &fact.PlayerID)
		return fact, err
	}, grantedAppealsSQL, d.ID)
}

const markRefusedSQL = `
	update decisions set state = 'refused', refusal_code = @code, refusal_message = @message where id = @id`

// markRefused marks a decision as refused, and opens again what it had closed.
func markRefused(ctx context.Context, tx pgx.Tx, d moderation.Decision, r moderation.Settlement) error {
	args := pgx.NamedArgs{
		"id": d.ID, "case": orNull(d.CaseID), "code": r.Code, "message": r.Message, "now": time.Now(),
	}
	if _, err := tx.Exec(ctx, markRefusedSQL, args); err != nil {
		return err
	}
	if d.Undoes == "" {
		return reopenCase(ctx, tx, args)
	}
	batch := &pgx.Batch{}
	batch.Queue(ungrantAppealsSQL, args)
	batch.Queue(deleteAnswerSQL, args)
	return tx.SendBatch(ctx, batch).Close()
}
