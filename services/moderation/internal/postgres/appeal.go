package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const appealColumns = `id, decision_id, player_id, state, waiting_since, answered_at`

func scanAppeal(row pgx.CollectableRow) (a moderation.Appeal, err error) {
	err = row.Scan(&a.ID, &a.DecisionID, &a.PlayerID, &a.State, (*zeronull.Timestamptz)(&a.WaitingSince),
		(*zeronull.Timestamptz)(&a.AnsweredAt))
	return a, err
}

const (
	appealSQL      = `select ` + appealColumns + ` from appeals where id = @id`
	lastAppealsSQL = `
		select distinct on (decision_id) ` + appealColumns + ` from appeals where decision_id = any (@ids)
		order by decision_id, created_at desc`
	fromOpenAppeals         = ` from appeals where state = 'open'`
	fromAnsweredAppeals     = ` from appeals where state <> 'open'`
	openAppealsSQL          = `select ` + appealColumns + fromOpenAppeals + ` order by waiting_since, id` + page
	answeredAppealsSQL      = `select ` + appealColumns + fromAnsweredAppeals + ` order by answered_at desc, id` + page
	countOpenAppealsSQL     = `select count(*)` + fromOpenAppeals
	countAnsweredAppealsSQL = `select count(*)` + fromAnsweredAppeals
	appealMessagesSQL       = `
		select appeal_id, id, from_moderator, text, created_at from appeal_messages
		where appeal_id = any (@ids)
		order by created_at, id`
	// insertMessageSQL stores no text of an appeal, also no answer, once the player's account is deleted.
	insertMessageSQL = `
		insert into appeal_messages (id, appeal_id, from_moderator, text, created_at)
		select @id::uuid, a.id, @from_moderator::boolean, case when p.deleted then '' else @text::text end, @at::timestamptz
		from appeals a left join players p on p.id = a.player_id
		where a.id = @appeal`
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

// LastAppeals implements moderation.AppealStore.
func (s *Store) LastAppeals(ctx context.Context, decisionIDs []string) (map[string]*moderation.Appeal, error) {
	appeals, err := s.appeals(ctx, lastAppealsSQL, pgx.NamedArgs{"ids": decisionIDs})
	if err != nil {
		return nil, err
	}
	byDecision := map[string]*moderation.Appeal{}
	for i, a := range appeals {
		byDecision[a.DecisionID] = &appeals[i]
	}
	return byDecision, nil
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
	type message struct {
		AppealID string
		moderation.AppealMessage
	}
	messages, err := postgres.Collect(ctx, s.db, pgx.RowToStructByPos[message], appealMessagesSQL, pgx.NamedArgs{
		"ids": postgres.Column(appeals, func(a moderation.Appeal) string { return a.ID }),
	})
	for _, m := range messages {
		i := slices.IndexFunc(appeals, func(a moderation.Appeal) bool { return a.ID == m.AppealID })
		appeals[i].Messages = append(appeals[i].Messages, m.AppealMessage)
	}
	return appeals, postgres.Wrap(err, "messages of appeals")
}

const insertAppealSQL = `
	insert into appeals (id, decision_id, player_id, state, waiting_since, created_at)
	values (@appeal, @decision, @player, 'open', @at, @at)`

// AddAppeal implements moderation.AppealStore.
func (s *Store) AddAppeal(
	ctx context.Context, by access.Attribution, a moderation.Appeal,
) (added moderation.Appeal, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if by.Actor.ID, err = copies.LockWriter(ctx, tx, by.Actor.ID); err != nil {
			return err
		}
		// A decision that is undone meanwhile waits, or is waited for.
		d, err := s.lockDecision(ctx, tx, a.DecisionID)
		if err != nil {
			return err
		}
		appeals, err := s.In(tx).LastAppeals(ctx, []string{d.ID})
		if err != nil {
			return err
		}
		before := moderation.OwnDecision{Decision: d, Appeal: appeals[d.ID]}
		change, err := before.AddAppeal(by, a)
		if added = change.Value; err != nil || change.IsRepeated {
			return err
		}
		if err := saveAppeal(ctx, tx, added, "", insertAppealSQL, insertMessageSQL); err != nil {
			return err
		}
		return audit.Append(ctx, tx, change.Entries...)
	})
	return added, postgres.Wrap(err, "appeal against decision %s", a.DecisionID)
}

const (
	lockAppealSQL = `select from appeals where id = @id for update`
	saveAppealSQL = `
		update appeals
		set state = @state, waiting_since = @waiting_since, answered_at = @answered_at, granted_by = @granted_by
		where id = @appeal`
)

// lockAppeal locks an appeal and returns it, or moderation.ErrAppealUnknown.
func (s *Store) lockAppeal(ctx context.Context, tx pgx.Tx, id string) (moderation.Appeal, error) {
	if err := tx.QueryRow(ctx, lockAppealSQL, pgx.NamedArgs{"id": id}).Scan(); err != nil {
		return moderation.Appeal{}, postgres.ReadError(err, moderation.ErrAppealUnknown, "lock appeal %s", id)
	}
	return s.In(tx).Appeal(ctx, id)
}

// saveAppeal runs statements that store an appeal or its last message. The decision that has granted it has the id
// grantedBy, or there is none.
func saveAppeal(ctx context.Context, tx pgx.Tx, a moderation.Appeal, grantedBy string, statements ...string) error {
	last := a.Messages[len(a.Messages)-1]
	return postgres.ExecBatch(ctx, tx, pgx.NamedArgs{
		"appeal": a.ID, "decision": a.DecisionID, "player": a.PlayerID, "state": a.State,
		"waiting_since": zeronull.Timestamptz(a.WaitingSince), "answered_at": zeronull.Timestamptz(a.AnsweredAt),
		"granted_by": zeronull.Text(grantedBy),
		"id":         last.ID, "from_moderator": last.FromModerator, "text": last.Text, "at": last.At,
	}, statements...)
}

// AddAppealMessage implements moderation.AppealStore.
func (s *Store) AddAppealMessage(
	ctx context.Context, by access.Attribution, id string, m moderation.AppealMessage,
) (after moderation.Appeal, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if by.Actor.ID, err = copies.LockWriter(ctx, tx, by.Actor.ID); err != nil {
			return err
		}
		before, err := s.lockAppeal(ctx, tx, id)
		if err != nil {
			return err
		}
		change, err := before.AddMessage(by, m)
		if after = change.Value; err != nil || change.IsRepeated {
			return err
		}
		return saveAppeal(ctx, tx, after, "", saveAppealSQL, insertMessageSQL)
	})
	return after, postgres.Wrap(err, "message of appeal %s", id)
}

// AnswerAppeal implements moderation.AppealStore.
func (s *Store) AnswerAppeal(
	ctx context.Context, by access.Attribution, id string, state moderation.AppealState, m moderation.AppealMessage,
) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if by.Actor.ID, err = copies.LockWriter(ctx, tx, by.Actor.ID); err != nil {
			return err
		}
		before, err := s.lockAppeal(ctx, tx, id)
		if err != nil {
			return err
		}
		against, err := s.In(tx).Decision(ctx, before.DecisionID)
		if err != nil {
			return err
		}
		change, err := before.Answer(by, against, state, m)
		if err != nil {
			return err
		}
		if err := saveAppeal(ctx, tx, change.Value, "", saveAppealSQL, insertMessageSQL); err != nil {
			return err
		}
		for _, fact := range change.Facts {
			if err := outbox.Append(ctx, tx, fact); err != nil {
				return err
			}
		}
		return audit.Append(ctx, tx, change.Entries...)
	})
	return postgres.Wrap(err, "answer appeal %s", id)
}

const lockAppealOfSQL = `
	select id from appeals where decision_id = @undoes and state = 'open' or granted_by = @decision for update`

// lockAppealOf locks and returns the open appeal against what a decision undoes, or the one that the decision has
// granted. It returns nil where there is none.
func (s *Store) lockAppealOf(ctx context.Context, tx pgx.Tx, d moderation.Decision) (*moderation.Appeal, error) {
	var id string
	err := tx.QueryRow(ctx, lockAppealOfSQL, pgx.NamedArgs{"undoes": d.Undoes, "decision": d.ID}).Scan(&id)
	if err != nil {
		return nil, postgres.ReadError(err, nil, "appeal against decision %s", d.Undoes)
	}
	appeal, err := s.In(tx).Appeal(ctx, id)
	return &appeal, err
}

const moderatorsSQL = `
	select id from players
	where roles <> '{}' and roles && '{moderator, admin}' and not banned and not removed
	order by id
	limit @limit`

// Moderators implements moderation.AppealStore.
func (s *Store) Moderators(ctx context.Context, limit int) ([]string, error) {
	ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], moderatorsSQL, pgx.NamedArgs{"limit": limit})
	return ids, postgres.Wrap(err, "moderators")
}
