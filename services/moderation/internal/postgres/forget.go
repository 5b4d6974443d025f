package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

const (
	emptyReportsSQL = `update reports set text = '' where reporter_id = @player and text <> ''`
	emptyAppealsSQL = `
		update appeal_messages set text = ''
		where appeal_id in (select id from appeals where player_id = @player) and text <> ''`
)

// forget empties the texts of the reports and appeals of a player whose account was deleted. That there was a report,
// an appeal and an answer stays, for the case and the statistics. The lock of merges is held.
func forget(ctx context.Context, tx pgx.Tx, playerID string) error {
	err := postgres.ExecBatch(ctx, tx, pgx.NamedArgs{"player": playerID}, emptyReportsSQL, emptyAppealsSQL)
	return postgres.Wrap(err, "empty the texts of player %s", playerID)
}
