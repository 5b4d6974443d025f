package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

// playersBatch is how many players' totals one transaction changes.
const playersBatch = 500

const (
	playersOnLeaderboardSQL = `select player_id from personal_bests where map_id = $1 order by player_id limit $2`
	// playersToRestoreSQL selects the players whose personal bests on a map are missing.
	playersToRestoreSQL = `
		select distinct r.player_id from records r
		where r.map_id = $1 and r.player_id > $2 and r.removed_at is null
			and r.player_id not in (select player_id from player_totals where hidden)
			and not exists (
				select from personal_bests b
				where b.map_id = $1 and b.player_id > $2 and b.player_id = r.player_id)
		order by r.player_id limit $3`
	showMapSQL = `update maps set removed = false, restoring = false where id = @map`
)

// clearLeaderboard deletes the leaderboard of a removed map and subtracts its records from
// all totals, playersBatch players in a transaction. It may be interrupted and repeated: what
// is left of the leaderboard is what is left to subtract.
func (s *Store) clearLeaderboard(ctx context.Context, mapID string) error {
	for n := playersBatch; n == playersBatch; {
		err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
			n, err = clearSome(ctx, tx, mapID)
			return err
		})
		if err != nil {
			return fmt.Errorf("clear the leaderboard of map %s: %w", mapID, err)
		}
	}
	return nil
}

// clearSome returns of how many players it has cleared the leaderboard.
func clearSome(ctx context.Context, tx pgx.Tx, mapID string) (int, error) {
	removed, restoring, err := lockMapStatus(ctx, tx, mapID)
	if err != nil || !removed || restoring {
		return 0, err
	}
	players, err := postgres.Collect(ctx, tx, pgx.RowTo[string], playersOnLeaderboardSQL, mapID, playersBatch)
	if err != nil || len(players) == 0 {
		return 0, err
	}
	return len(players), recount(ctx, tx, []string{mapID}, players)
}

// restoreLeaderboard makes the leaderboard of a restored map again and adds its records to all totals, playersBatch
// players in a transaction. Then the map is shown. It may be interrupted and repeated: players who are on the
// leaderboard are left out. What changes a player's records meanwhile changes the row as well (see recount).
func (s *Store) restoreLeaderboard(ctx context.Context, mapID string) error {
	for cursor := noID; cursor != ""; {
		err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
			cursor, err = restoreSome(ctx, tx, mapID, cursor)
			return err
		})
		if err != nil {
			return fmt.Errorf("restore the leaderboard of map %s: %w", mapID, err)
		}
	}
	return nil
}

// restoreSome returns the last player that it has restored, and nothing if that was the last one at all.
func restoreSome(ctx context.Context, tx pgx.Tx, mapID, cursor string) (last string, err error) {
	_, restoring, err := lockMapStatus(ctx, tx, mapID)
	if err != nil || !restoring {
		return "", err
	}
	players, err := postgres.Collect(ctx, tx, pgx.RowTo[string], playersToRestoreSQL, mapID, cursor, playersBatch)
	if err != nil {
		return "", err
	}
	if len(players) < playersBatch && cursor != noID {
		// The map may have been removed and restored again since the first batch: then players before the cursor are
		// missing.
		players, err = postgres.Collect(ctx, tx, pgx.RowTo[string], playersToRestoreSQL, mapID, noID, playersBatch)
		if err != nil {
			return "", err
		}
	}
	if len(players) == playersBatch {
		return players[len(players)-1], recount(ctx, tx, []string{mapID}, players)
	}
	err = postgres.ExecBatch(ctx, tx, pgx.NamedArgs{"map": mapID}, showMapSQL, rebuildWorldRecordsSQL)
	if err != nil {
		return "", err
	}
	return "", recount(ctx, tx, []string{mapID}, players)
}

// lockMapStatus locks a map that has a copy.
func lockMapStatus(ctx context.Context, tx pgx.Tx, mapID string) (removed, restoring bool, err error) {
	if err := lockMaps(ctx, tx, mapID); err != nil {
		return false, false, err
	}
	err = tx.QueryRow(ctx, mapStatusSQL, mapID).Scan(&removed, &restoring)
	return removed, restoring, err
}
