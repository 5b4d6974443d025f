package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

const (
	forgetPlayerFollowsSQL = `delete from player_follows where @player in (follower_id, player_id)`
	forgetMapFollowsSQL    = `delete from map_follows where follower_id = @player`
	forgetInboxSQL         = `delete from notifications where receiver_id = @player`
	forgetInboxNumberSQL   = `delete from inboxes where player_id = @player`
	forgetSettingsSQL      = `delete from settings where player_id = @player`
	forgetPointsLostSQL    = `delete from points_lost where player_id = @player`
	forgetWebhooksSQL      = `delete from webhooks where owner_id = @player`
	forgetWebhookUsesSQL   = `delete from webhook_uses where player_id = @player`
)

// forget deletes what belongs to a player whose account was deleted. The notifications of others that name the player
// stay, under the name that the player has now. The lock of merges is held, so that nothing is added meanwhile.
func forget(ctx context.Context, tx pgx.Tx, playerID string) error {
	err := postgres.ExecBatch(ctx, tx, pgx.NamedArgs{"player": playerID}, forgetPlayerFollowsSQL, forgetMapFollowsSQL,
		forgetInboxSQL, forgetInboxNumberSQL, forgetSettingsSQL, forgetPointsLostSQL, forgetWebhooksSQL,
		forgetWebhookUsesSQL)
	return postgres.Wrap(err, "forget player %s", playerID)
}
