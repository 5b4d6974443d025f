package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const mapColumns = `
	id, version, removed, name, game_mode, game_map_id, map_version, superseded,
	unranked, unranked_reason, fingerprint, medal_author, medal_gold, medal_silver, medal_bronze, picture_bucket, picture_key`

const (
	mapSQL = `select ` + mapColumns + ` from maps where id = $1`
	// While events are on their way two copies may have one fingerprint; the newer one is right.
	mapVersionSQL = `
		select ` + mapColumns + ` from maps
		where game_map_id = @game_map_id and fingerprint = @fingerprint and not removed
		order by id desc
		limit 1`
)

// Map implements record.MapCopies.
func (s *Store) Map(ctx context.Context, id string) (record.Map, error) {
	return scanMap(s.db.QueryRow(ctx, mapSQL, id))
}

// MapVersion implements record.MapCopies.
func (s *Store) MapVersion(ctx context.Context, gameMapID int64, fingerprint string) (record.Map, error) {
	args := pgx.NamedArgs{"game_map_id": gameMapID, "fingerprint": fingerprint}
	return scanMap(s.db.QueryRow(ctx, mapVersionSQL, args))
}

func scanMap(row pgx.Row) (m record.Map, err error) {
	err = row.Scan(&m.ID, &m.Version, &m.Removed, &m.Name, &m.Mode, &m.GameMapID, &m.MapVersion, &m.Superseded,
		&m.Unranked, &m.UnrankedReason, &m.Fingerprint, &m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver, &m.Medals.Bronze,
		&m.Picture.Bucket, &m.Picture.Key)
	return m, postgres.ReadError(err, record.ErrMapUnknown, "copy of a map")
}

const (
	// applyMapSQL leaves a map removed that was removed until its leaderboard is restored.
	applyMapSQL = `
		insert into maps as m (id, version, removed, name, game_mode, game_map_id, map_version, superseded, unranked,
			unranked_reason, fingerprint, author_id, medal_author, medal_gold, medal_silver, medal_bronze, picture_bucket,
			picture_key)
		values (@id, @version, false, @name, @game_mode, @game_map_id, @map_version, @superseded, @unranked,
			@unranked_reason, @fingerprint, nullif(@author_id, '')::uuid, @author, @gold, @silver, @bronze, @picture_bucket,
			@picture_key)
		on conflict (id) do update set
			version = excluded.version, restoring = m.removed, name = excluded.name, game_mode = excluded.game_mode,
			game_map_id = excluded.game_map_id, map_version = excluded.map_version,
			superseded = excluded.superseded, unranked = excluded.unranked,
			unranked_reason = excluded.unranked_reason, fingerprint = excluded.fingerprint,
			author_id = excluded.author_id,
			medal_author = excluded.medal_author, medal_gold = excluded.medal_gold, medal_silver = excluded.medal_silver,
			medal_bronze = excluded.medal_bronze, picture_bucket = excluded.picture_bucket, picture_key = excluded.picture_key
		where m.version < excluded.version`
	// applyTombstoneSQL keeps what is known of the map.
	applyTombstoneSQL = `
		insert into maps as m (id, version, removed, map_version) values (@id, @version, true, 0)
		on conflict (id) do update set version = excluded.version, removed = true, restoring = false
		where m.version < excluded.version`
	mapStatusSQL = `select removed, restoring from maps where id = $1`
)

// ApplyMap implements record.MapCopies. The lock of the map keeps records from being added while the map becomes a
// tombstone, or while the players with bronze are counted by other medal times.
func (s *Store) ApplyMap(ctx context.Context, m record.Map) error {
	var removed, restoring bool
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := lockMaps(ctx, tx, m.ID); err != nil {
			return err
		}
		applySQL := applyMapSQL
		if m.Removed {
			applySQL = applyTombstoneSQL
		}
		_, err := tx.Exec(ctx, applySQL, pgx.NamedArgs{
			"id": m.ID, "version": m.Version, "name": m.Name, "game_mode": m.Mode,
			"game_map_id": m.GameMapID, "map_version": m.MapVersion, "superseded": m.Superseded, "unranked": m.Unranked,
			"unranked_reason": m.UnrankedReason,
			"fingerprint":     m.Fingerprint, "author_id": m.AuthorID,
			"picture_bucket": m.Picture.Bucket, "picture_key": m.Picture.Key,
			"author": m.Medals.Author, "gold": m.Medals.Gold, "silver": m.Medals.Silver, "bronze": m.Medals.Bronze,
		})
		if err != nil {
			return err
		}
		return tx.QueryRow(ctx, mapStatusSQL, m.ID).Scan(&removed, &restoring)
	})
	switch {
	case err != nil:
		return fmt.Errorf("store the copy of map %s: %w", m.ID, err)
	// Also for a copy that was removed or restored before: the process may have ended in between.
	case restoring:
		return s.restoreLeaderboard(ctx, m.ID)
	case removed:
		return s.clearLeaderboard(ctx, m.ID)
	}
	return nil
}

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
	if err == nil && len(players) < playersBatch && cursor != noID {
		// The map may have been removed and restored again since the first batch: then players before the cursor are
		// missing.
		players, err = postgres.Collect(ctx, tx, pgx.RowTo[string], playersToRestoreSQL, mapID, noID, playersBatch)
	}
	switch {
	case err != nil:
		return "", err
	case len(players) == playersBatch:
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

// Player implements lookup.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (record.Player, error) {
	return copies.Player(ctx, s.db, id)
}

// ApplyPlayer implements lookup.PlayerCopies.
func (s *Store) ApplyPlayer(ctx context.Context, p record.Player) error {
	err := copies.ApplyPlayer(ctx, s.db, p, func(ctx context.Context, tx pgx.Tx) error {
		if p.Deleted {
			return forget(ctx, tx, p.ID)
		}
		return nil
	})
	if err != nil || p.MergedInto == "" {
		return err
	}
	// Also for a copy that was a tombstone before: the process may have ended in between.
	return s.transferRecords(ctx, p.ID)
}
