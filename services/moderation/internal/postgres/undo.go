package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

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
