package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/language"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

const languageSQL = `select coalesce(language, '') from players where id = @player`

// Language implements player.AccountStore.
func (s *Store) Language(ctx context.Context, playerID string) (l language.Language, err error) {
	if err := s.db.QueryRow(ctx, languageSQL, pgx.NamedArgs{"player": playerID}).Scan(&l); err != nil {
		return "", postgres.ReadError(err, player.ErrUnknown, "language of player %s", playerID)
	}
	return l, nil
}

const setLanguageSQL = `update players set language = @language where id = @player`

// SetLanguage implements player.AccountStore. Others do not see it, so that the version stays.
func (s *Store) SetLanguage(
	ctx context.Context, playerID string, l language.Language, rule func(player.Locked) error,
) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		p, err := lockPlayer(ctx, tx, playerID)
		if err != nil {
			return err
		}
		if err := checkRule(ctx, tx, p, rule); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, setLanguageSQL, pgx.NamedArgs{"player": p.ID, "language": l}); err != nil {
			return fmt.Errorf("language of player %s: %w", p.ID, err)
		}
		return nil
	})
}
