package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const sameDataSQL = `
	select m.id from maps m join map_data d on d.map_id = m.id
	where m.game_map_id = @game_map_id and d.encoded = @encoded
	order by m.map_version desc
	limit 1`

// KnownVersions implements parkourmap.SubmissionStore.
func (s *Store) KnownVersions(ctx context.Context, c parkourmap.Candidate) (parkourmap.KnownVersions, error) {
	versions, err := gameMap(ctx, s.db, gameMapSQL, c.Map.GameMapID)
	if err != nil {
		return parkourmap.KnownVersions{}, err
	}
	return knownVersions(ctx, s.db, c, versions)
}

// knownVersions completes the versions of a candidate's game map.
func knownVersions(
	ctx context.Context, conn postgres.Conn, c parkourmap.Candidate, versions parkourmap.Versions,
) (parkourmap.KnownVersions, error) {
	known := parkourmap.KnownVersions{Versions: versions}
	args := pgx.NamedArgs{"game_map_id": c.Map.GameMapID, "encoded": c.EncodedMap}
	err := conn.QueryRow(ctx, sameDataSQL, args).Scan(&known.SameData)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return parkourmap.KnownVersions{}, fmt.Errorf("map data of game map %d: %w", c.Map.GameMapID, err)
	}
	if author := versions.Owner(); author != "" {
		if known.OwnerID, err = copies.Current(ctx, conn, author); err != nil {
			return parkourmap.KnownVersions{}, err
		}
	}
	return known, nil
}

const (
	// lockSubmissionsSQL makes submissions of a game map wait for each other, also of one that has no version yet. Other
	// changes lock version 1.
	lockSubmissionsSQL = `select pg_advisory_xact_lock(hashtextextended('submit map ' || @game_map_id::bigint, 0))`
	saveMapDataSQL     = `
		insert into map_data (map_id, encoded) values (@id, @encoded)
		on conflict (map_id) do update set encoded = excluded.encoded`
	// insertUpdateReplaySQL stores the replay of an update, which the map does not name.
	insertUpdateReplaySQL = `insert into update_replays (replay_key, map_id) values (@key, @id) on conflict do nothing`
)

// Submit implements parkourmap.SubmissionStore.
func (s *Store) Submit(ctx context.Context, c parkourmap.Candidate) (parkourmap.SubmitResult, error) {
	var result parkourmap.SubmitResult
	err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if c.Map.AuthorID, err = copies.LockCurrent(ctx, tx, c.Map.AuthorID); err != nil {
			return err
		}
		if c.By.Actor.ID, err = copies.LockWriter(ctx, tx, c.By.Actor.ID); err != nil {
			return err
		}
		c.Map.SubmittedByID = c.By.Actor.ID
		if _, err := tx.Exec(ctx, lockSubmissionsSQL, pgx.NamedArgs{"game_map_id": c.Map.GameMapID}); err != nil {
			return fmt.Errorf("lock submissions: %w", err)
		}
		before, err := lockGameMap(ctx, tx, c.Map.GameMapID)
		if err != nil {
			return err
		}
		known, err := knownVersions(ctx, tx, c, before)
		if err != nil {
			return err
		}
		if result, err = known.Submit(c); err != nil {
			return err
		}
		if err := saveChange(ctx, tx, before, result.Change); err != nil {
			return err
		}
		statements := []string{saveMapDataSQL}
		if !result.Created {
			statements = append(statements, insertUpdateReplaySQL)
		}
		args := pgx.NamedArgs{"id": result.MapID, "encoded": c.EncodedMap, "key": c.Map.Files.Replay}
		if err := postgres.ExecBatch(ctx, tx, args, statements...); err != nil {
			return fmt.Errorf("save map data: %w", err)
		}
		return objectstore.Attach(ctx, tx, c.Uploads...)
	})
	return result, postgres.Wrap(err, "submit game map %d", c.Map.GameMapID)
}
