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
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const appealColumns = `id, decision_id, player_id, state, waiting_since, answered_at`

func scanAppeal(row pgx.CollectableRow) (a moderation.Appeal, err error) {
	var waiting, answered *time.Time
	err = row.Scan(&a.ID, &a.DecisionID, &a.PlayerID, &a.State, &waiting, &answered)
	a.WaitingSince, a.AnsweredAt = timeOrZero(waiting), timeOrZero(answered)
	return a, err
}

const (
	appealSQL     = `select ` + appealColumns + ` from appeals where id = @id`
	lastAppealSQL = `
		select ` + appealColumns + ` from appeals where decision_id = @id order by created_at desc limit 1`
	openAppealsSQL = `
		select ` + appealColumns + ` from appeals where state = 'open'
		order by waiting_since, id
		limit @limit offset @offset`
	answeredAppealsSQL = `
		select ` + appealColumns + ` from appeals where state <> 'open'
		order by answered_at desc, id
		limit @limit offset @offset`
	countOpenAppealsSQL     = `select count(*) from appeals where state = 'open'`
	countAnsweredAppealsSQL = `select count(*) from appeals where state <> 'open'`
	appealMessagesSQL       = `
		select appeal_id, id, from_moderator, text, created_at from appeal_messages
		where appeal_id = any (@ids)
		order by created_at, id`
)

// Appeal implements moderation.AppealStore.
func (s *Store) Appeal(ctx context.Context, id string) (moderation.Appeal, error) {
	appeals, err := s.appeals(ctx, appealSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return moderation.Appeal{}, err
	}
	if len(appeals) == 0 {
		return moderation.Appeal{}, moderation.ErrAppealUnknown
	}
	return appeals[0], nil
}

// LastAppeal implements moderation.AppealStore.
func (s *Store) LastAppeal(ctx context.Context, decisionID string) (*moderation.Appeal, error) {
	appeals, err := s.appeals(ctx, lastAppealSQL, pgx.NamedArgs{"id": decisionID})
	if err != nil || len(appeals) == 0 {
		return nil, err
	}
	return &appeals[0], nil
}

// Appeals implements moderation.AppealStore.
func (s *Store) Appeals(ctx context.Context, f moderation.AppealFilter) ([]moderation.Appeal, int64, error) {
	listSQL, countSQL := answeredAppealsSQL, countAnsweredAppealsSQL
	if f.Open {
		listSQL, countSQL = openAppealsSQL, countOpenAppealsSQL
	}
	var total int64
	if err := s.db.QueryRow(ctx, countSQL).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count appeals: %w", err)
	}
	appeals, err := s.appeals(ctx, listSQL, pgx.NamedArgs{"limit": f.Limit, "offset": f.Offset})
	return appeals, total, err
}

// appeals returns appeals with their messages.
func (s *Store) appeals(ctx context.Context, sql string, args pgx.NamedArgs) ([]moderation.Appeal, error) {
	appeals, err := postgres.Collect(ctx, s.db, scanAppeal, sql, args)
	if err != nil {
		return nil, fmt.Errorf("appeals: %w", err)
	}
	ids, byID := make([]string, len(appeals)), map[string]*moderation.Appeal{}
	for i := range appeals {
		ids[i], byID[appeals[i].ID] = appeals[i].ID, &appeals[i]
	}
	_, err = postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (m moderation.AppealMessage, err error) {
		var appealID string
		if err := row.Scan(&appealID, &m.ID, &m.FromModerator, &m.Text, &m.At); err != nil {
			return m, err
		}
		m.At = m.At.UTC()
		byID[appealID].Messages = append(byID[appealID].Messages, m)
		return m, nil
	}, appealMessagesSQL, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("messages of appeals: %w", err)
	}
	return appeals, nil
}

const insertAppealSQL = `
	insert into appeals (id, decision_id, player_id, state, waiting_since, created_at)
	values (@id, @decision, @player, 'open', @at, @at)`

// AddAppeal implements moderation.AppealStore.
func (s *Store) AddAppeal(ctx context.Context, a moderation.Appeal, by access.Attribution) error {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		// A decision that is undone meanwhile waits, or is waited for.
		d, err := postgres.CollectOne(ctx, tx, scanDecision, lockDecisionSQL, pgx.NamedArgs{"id": a.DecisionID})
		if err != nil {
			return found(err, moderation.ErrDecisionUnknown)
		}
		if !d.IsAppealable() {
			return moderation.ErrAppealNotApplicable
		}
		_, err = tx.Exec(ctx, insertAppealSQL, pgx.NamedArgs{
			"id": a.ID, "decision": a.DecisionID, "player": d.PlayerID, "at": a.WaitingSince,
		})
		if postgres.Violates(err, "appeals_open") {
			return moderation.ErrAppealExists
		}
		if err != nil {
			return err
		}
		for _, m := range a.Messages {
			if err := insertMessage(ctx, tx, a.ID, m); err != nil {
				return err
			}
		}
		return audit.Append(ctx, tx, audit.Entry{
			By: by, Action: access.Appeal, Target: d.Subject.ID,
			After: map[string]any{"appeal": moderation.AppealOpen, "appealId": a.ID},
		})
	})
	if err != nil {
		return fmt.Errorf("appeal against decision %s: %w", a.DecisionID, err)
	}
	return nil
}

func insertMessage(ctx context.Context, tx pgx.Tx, appealID string, m moderation.AppealMessage) error {
	_, err := tx.Exec(ctx, insertMessageSQL, pgx.NamedArgs{
		"id": m.ID, "appeal": appealID, "from_moderator": m.FromModerator, "text": m.Text, "at": m.At,
	})
	return err
}

const (
	lockAppealSQL    = `select state from appeals where id = @id for update`
	countMessagesSQL = `select count(*) from appeal_messages where appeal_id = @id and not from_moderator`
	keepSQL          = `
		update appeals set state = 'kept', answered_at = @at, waiting_since = null where id = @id
		returning decision_id, player_id`
)

// lockAppeal locks an open appeal. It returns moderation.ErrAppealUnknown or moderation.ErrAppealAnswered.
func lockAppeal(ctx context.Context, tx pgx.Tx, id string) error {
	var state moderation.AppealState
	err := tx.QueryRow(ctx, lockAppealSQL, pgx.NamedArgs{"id": id}).Scan(&state)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return moderation.ErrAppealUnknown
	case err == nil && state != moderation.AppealOpen:
		return moderation.ErrAppealAnswered
	}
	return err
}

// AddAppealMessage implements moderation.AppealStore.
func (s *Store) AddAppealMessage(
	ctx context.Context, appealID string, m moderation.AppealMessage,
) (moderation.Appeal, error) {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := lockAppeal(ctx, tx, appealID); err != nil {
			return err
		}
		var sent int
		if err := tx.QueryRow(ctx, countMessagesSQL, pgx.NamedArgs{"id": appealID}).Scan(&sent); err != nil {
			return err
		}
		if sent >= moderation.MaxAppealMessages {
			return moderation.ErrAppealMessagesFull
		}
		return insertMessage(ctx, tx, appealID, m)
	})
	if err != nil {
		return moderation.Appeal{}, fmt.Errorf("message of appeal %s: %w", appealID, err)
	}
	return s.Appeal(ctx, appealID)
}

// KeepDecision implements moderation.AppealStore.
func (s *Store) KeepDecision(
	ctx context.Context, appealID string, m moderation.AppealMessage, by access.Attribution,
) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := lockAppeal(ctx, tx, appealID); err != nil {
			return err
		}
		fact := event.AppealAnswered{AppealID: appealID, At: m.At}
		err := tx.QueryRow(ctx, keepSQL, pgx.NamedArgs{"id": appealID, "at": m.At}).Scan(&fact.DecisionID, &fact.PlayerID)
		if err != nil {
			return err
		}
		if err := insertMessage(ctx, tx, appealID, m); err != nil {
			return err
		}
		d, err := s.In(tx).Decision(ctx, fact.DecisionID)
		if err != nil {
			return err
		}
		fact.Decided = event.DecidedSubject{Kind: string(d.Subject.Kind), ID: d.Subject.ID, MapID: d.MapID}
		err = audit.Append(ctx, tx, audit.Entry{
			By: by, Action: access.AnswerAppeal, Target: d.Subject.ID,
			Before: map[string]any{"appeal": moderation.AppealOpen},
			After:  map[string]any{"appeal": moderation.AppealKept, "appealId": appealID},
		})
		if err != nil {
			return err
		}
		return outbox.Append(ctx, tx, fact)
	})
	if err != nil {
		return fmt.Errorf("answer appeal %s: %w", appealID, err)
	}
	return nil
}
