package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

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

// FindRepeated implements moderation.DecisionStore.
func (s *Store) FindRepeated(ctx context.Context, d moderation.Decision) (moderation.Decision, error) {
	first, err := postgres.CollectOne(ctx, s.db, scanDecision, findRepeatedSQL, subjectArgs(d.Subject, pgx.NamedArgs{
		"kind": d.Kind, "by": d.ByID, "public_reason": d.PublicReason, "text": d.Text, "case": orNull(d.CaseID),
		"into": orNull(d.IntoID), "since": d.At.Add(-moderation.RepeatPeriod), "keep_records": d.KeepRecords,
		"until": timeOrNull(d.Until),
	}))
	if err != nil {
		err = orMissing(err, moderation.ErrDecisionUnknown)
		return moderation.Decision{}, fmt.Errorf("repeated decision about %s: %w", d.Subject.ID, err)
	}
	return first, nil
}
