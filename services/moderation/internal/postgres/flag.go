package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	insertFlagSQL = `
		insert into flags (id, record_id, case_id, kind, silent, numbers, created_at)
		values (@id, @record, @case, @kind, @silent, @numbers, @at)`
	countFlagsSQL = `
		update cases set flags = flags + @count, priority = priority + @weight where id = @case`
)

// AddFlags implements moderation.FlagStore.
func (s *Store) AddFlags(ctx context.Context, f moderation.Flagging) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := copies.ShareMerges(ctx, tx); err != nil {
			return err
		}
		subject, err := resolve(ctx, tx, f.Subject)
		if err != nil {
			return err
		}
		precisions, err := s.In(tx).FlagPrecisions(ctx)
		if err != nil {
			return err
		}
		flags, loud := f.MarkSilent(precisions)
		var caseID string
		if loud > 0 {
			if caseID, err = openCase(ctx, tx, f.CaseID, subject, flags[0].At); err != nil {
				return err
			}
		}
		batch := &pgx.Batch{}
		for _, flag := range flags {
			batch.Queue(insertFlagSQL, pgx.NamedArgs{
				"id": flag.ID, "record": subject.ID, "case": zeronull.Text(caseID), "kind": flag.Kind, "silent": flag.Silent,
				"numbers": flag.Numbers, "at": flag.At,
			})
		}
		batch.Queue(countFlagsSQL, pgx.NamedArgs{
			"case": zeronull.Text(caseID), "count": loud, "weight": loud * moderation.FlagWeight,
		})
		return tx.SendBatch(ctx, batch).Close()
	})
	return postgres.Wrap(err, "flags of record %s", f.Subject.ID)
}
