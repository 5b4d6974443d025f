package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

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
