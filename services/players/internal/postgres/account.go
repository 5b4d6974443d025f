package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/language"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

const languageSQL = `select coalesce(language, '') from players where id = @player`

// Language implements player.AccountStore.
func (s *Store) Language(ctx context.Context, playerID string) (l language.Language, err error) {
	err = s.db.QueryRow(ctx, languageSQL, pgx.NamedArgs{"player": playerID}).Scan(&l)
	return l, postgres.ReadError(err, player.ErrUnknown, "language of player %s", playerID)
}

const setLanguageSQL = `update players set language = @language where id = @player`

// SetLanguage implements player.AccountStore. Others do not see it, so that the version stays.
func (s *Store) SetLanguage(ctx context.Context, playerID string, l language.Language) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		p, err := lockPlayer(ctx, tx, playerID)
		if err != nil {
			return err
		}
		if err := p.CheckAccount(); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, setLanguageSQL, pgx.NamedArgs{"player": p.ID, "language": l})
		return postgres.Wrap(err, "language of player %s", p.ID)
	})
}
