package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	dueFingerprintsSQL = `
		select m.id, m.fingerprint, d.encoded from maps m join map_data d on d.map_id = m.id
		where m.fingerprint_due
		order by m.id limit @limit`
	setFingerprintDoneSQL = `update maps set fingerprint_due = false where id = @id`
	setFingerprintsDueSQL = `
		update maps set fingerprint_due = true
		where id in (
			select id from maps
			order by game_map_id, map_version -- as lockGameMap locks them
			for update)`
)

// DueFingerprints implements parkourmap.FingerprintStore.
func (s *Store) DueFingerprints(ctx context.Context, limit int) ([]parkourmap.DueFingerprint, error) {
	due, err := postgres.Collect(ctx, s.db, pgx.RowToStructByPos[parkourmap.DueFingerprint],
		dueFingerprintsSQL, pgx.NamedArgs{"limit": limit})
	if err != nil {
		return nil, fmt.Errorf("maps whose fingerprints are due: %w", err)
	}
	return due, nil
}

// SetFingerprint implements parkourmap.FingerprintStore.
func (s *Store) SetFingerprint(ctx context.Context, id, fingerprint string) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lockGameMapOf(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := saveVersions(ctx, tx, before, before.SetFingerprint(id, fingerprint)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, setFingerprintDoneSQL, pgx.NamedArgs{"id": id})
		return err
	})
	if err != nil {
		return fmt.Errorf("fingerprint of map %s: %w", id, err)
	}
	return nil
}

// SetFingerprintsDue implements parkourmap.FingerprintStore.
func (s *Store) SetFingerprintsDue(ctx context.Context) error {
	if _, err := s.db.Exec(ctx, setFingerprintsDueSQL); err != nil {
		return fmt.Errorf("compute all fingerprints again: %w", err)
	}
	return nil
}
