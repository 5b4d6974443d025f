package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Player implements lookup.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (parkourmap.Player, error) {
	return copies.Player(ctx, s.db, id)
}

const playerNamedSQL = `
	select ` + copies.PlayerColumns + ` from players
	where name_key = @key and not removed
	order by version desc limit 1`

// PlayerNamed implements parkourmap.PlayerCopies.
func (s *Store) PlayerNamed(ctx context.Context, key string) (parkourmap.Player, error) {
	p, err := postgres.CollectOne(ctx, s.db, copies.ScanPlayer, playerNamedSQL, pgx.NamedArgs{"key": key})
	return p, postgres.ReadError(err, parkourmap.ErrPlayerUnknown, "copy of a player")
}

// ApplyPlayer implements lookup.PlayerCopies. The maps of a player who was merged become those of the player whom they
// were merged into. Those of a player whose account was deleted lose their descriptions and the player's names.
func (s *Store) ApplyPlayer(ctx context.Context, p parkourmap.Player) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		names, err := lockNames(ctx, tx, p)
		if err != nil {
			return err
		}
		return copies.ApplyPlayer(ctx, s.db.In(tx), p, func(ctx context.Context, tx pgx.Tx) error {
			if err := setNameKeys(ctx, tx, p); err != nil {
				return err
			}
			return copies.Transfer(ctx, tx, p, merge, func(ctx context.Context, tx pgx.Tx, playerID string) error {
				return forget(ctx, tx, playerID, names)
			})
		})
	})
}

const lockNamesSQL = `select array_append(former_names, name) from players where id = @id for update`

// lockNames returns the names of a merged or deleted player by the copy, which has them until it is replaced. Like
// copies.ApplyPlayer, it takes the lock of merges before it locks the copy.
func lockNames(ctx context.Context, tx pgx.Tx, p parkourmap.Player) (names []string, err error) {
	if p.MergedInto == "" && !p.Deleted {
		return nil, nil
	}
	if _, err := tx.Exec(ctx, copies.LockMergesSQL); err != nil {
		return nil, fmt.Errorf("lock of merges: %w", err)
	}
	err = tx.QueryRow(ctx, lockNamesSQL, pgx.NamedArgs{"id": p.ID}).Scan(&names)
	return names, postgres.ReadError(err, nil, "names of player %s", p.ID)
}

const setNameKeysSQL = `update players set name_key = @name_key, search_key = @search_key where id = @id`

// setNameKeys stores by what the name of a player is found.
func setNameKeys(ctx context.Context, tx pgx.Tx, p parkourmap.Player) error {
	nameKey := playername.Key(p.Name)
	if p.Deleted {
		nameKey = playername.KeyOfDeleted + p.ID // an account of the game may have the name
	}
	_, err := tx.Exec(ctx, setNameKeysSQL,
		pgx.NamedArgs{"id": p.ID, "name_key": nameKey, "search_key": search.Key(p.Name)})
	return postgres.Wrap(err, "keys of the name of player %s", p.ID)
}

const applyStatsSQL = `
	insert into map_stats as c
		(map_id, version, records, world_record_id, world_record_player_id, world_record_time, listed)
	values (@id, @version, @records, @world_record_id, @world_record_player_id, @world_record_time,
		exists (select from maps where id = @id and listed))
	on conflict (map_id) do update set
		version = excluded.version, records = excluded.records, world_record_id = excluded.world_record_id,
		world_record_player_id = excluded.world_record_player_id, world_record_time = excluded.world_record_time
	where c.version < excluded.version`

// ApplyStats stores how many records a map has, and its world record, unless the copy is as new.
// The map need not exist yet.
func (s *Store) ApplyStats(ctx context.Context, stats event.MapStats) error {
	args := pgx.NamedArgs{
		"id": stats.MapID, "version": stats.Version, "records": stats.Records,
		"world_record_id": nil, "world_record_player_id": nil, "world_record_time": nil,
	}
	if w := stats.WorldRecord; w != nil {
		args["world_record_id"], args["world_record_player_id"] = w.RecordID, w.PlayerID
		args["world_record_time"] = w.FinishTime
	}
	_, err := s.db.Exec(ctx, applyStatsSQL, args)
	return postgres.Wrap(err, "apply stats of map %s", stats.MapID)
}

const (
	markListedSQL = `
		insert into map_stats as s (map_id, listed) select id, true from maps where listed
		on conflict (map_id) do update set listed = true where not s.listed`
	markNotListedSQL = `
		update map_stats s set listed = false
		where listed and not exists (select from maps m where m.id = s.map_id and m.listed)`
	clearTagsSQL = `delete from tag_counts`
	countTagsSQL = `
		insert into tag_counts (tag, maps)
		select tag, count(*) from maps cross join unnest(tags) as tag where listed group by tag`
	setNewestVersionsSQL = `
		update listed_maps l set map_id = ` + newestVersionSQL + ` where map_id is distinct from ` + newestVersionSQL
)

// Rebuild derives the list of maps by records, the counts of tags and the newest versions of imported maps from the
// maps again, for tables that were lost. Maps are neither made nor changed meanwhile; reading continues.
func (s *Store) Rebuild(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		err := postgres.ExecBatch(ctx, tx, nil, "set local statement_timeout = 0",
			"lock table maps, map_stats in exclusive mode",
			markListedSQL, markNotListedSQL, clearTagsSQL, countTagsSQL, setNewestVersionsSQL)
		return postgres.Wrap(err, "rebuild lists of maps")
	})
}
