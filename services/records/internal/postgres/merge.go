package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"records.player_id":         "becomes the id of the player merged into",
	"records.submitted_by":      "becomes the id of the player who was merged, unless it is set",
	"personal_bests.player_id":  "the two rows of a map become the better one, of the player merged into",
	"world_records.player_id":   "becomes that of the record",
	"goals_put_aside.player_id": "becomes that of the player merged into; of two rows of a map the later end stays",
	"maps.author_id":            "is written again with the map's state, which the maps service publishes",
	"player_totals.player_id":   "the row stays with no records; if it is hidden, that of the player merged into becomes hidden",
	"players.id":                "the row becomes a tombstone",
	"players.merged_into":       "becomes the id of the player merged into, also of players merged before",

	"points_players.player_id": "the row is deleted, because no personal best is left",
	"record_points.player_id":  "the rows are computed again, and are those of the player merged into",
	"rankings.player_id":       "the rows are computed again, and are those of the player merged into",
	"points_before.player_id":  "stays for a week, and is not shown",
	"points_days.player_id":    "stays, and is not shown",
	"points_changes.player_id": "stays until the change is computed",
}

// Each half of mapsPlayedSQL has an index.
const mapsPlayedSQL = `
	select map_id from records where player_id = $1 and removed_at is null
	union
	select map_id from records where player_id = $1 and removed_at is not null
	order by map_id`

// mapsPlayed returns the maps on which a player has records, also removed ones, in the order of their ids.
func mapsPlayed(ctx context.Context, conn postgres.Conn, playerID string) ([]string, error) {
	maps, err := postgres.Collect(ctx, conn, pgx.RowTo[string], mapsPlayedSQL, playerID)
	return maps, postgres.Wrap(err, "maps of player %s", playerID)
}

// transferRecords transfers all records of a player who was merged, also the removed ones, to the player they were
// merged into, one map in a transaction. If the merged player was hidden, the other one is. It may be interrupted and
// repeated. No record is added for the merged player meanwhile (see Submit).
func (s *Store) transferRecords(ctx context.Context, from string) error {
	if err := s.hideSuccessor(ctx, from); err != nil {
		return fmt.Errorf("hide the player whom %s was merged into: %w", from, err)
	}
	maps, err := mapsPlayed(ctx, s.db, from)
	if err != nil {
		return err
	}
	for _, mapID := range maps {
		err := s.db.InTx(ctx, func(tx pgx.Tx) error { return transferOnMap(ctx, tx, mapID, from) })
		if err != nil {
			return fmt.Errorf("transfer the records of player %s on map %s: %w", from, mapID, err)
		}
	}
	err = s.db.InTx(ctx, func(tx pgx.Tx) error { return transferPutAside(ctx, tx, from) })
	if err != nil {
		return fmt.Errorf("goals that player %s put aside: %w", from, err)
	}
	_, err = s.db.Exec(ctx, forgetHiddenSQL, from)
	return postgres.Wrap(err, "total of player %s", from)
}

// hideSuccessor hides the player whom a hidden player was merged into.
func (s *Store) hideSuccessor(ctx context.Context, from string) error {
	var into string
	var hidden bool
	err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if into, err = copies.LockCurrent(ctx, tx, from); err != nil {
			return err
		}
		return tx.QueryRow(ctx, isHiddenSQL, from).Scan(&hidden)
	})
	if err != nil || !hidden || into == from {
		return err
	}
	err = s.ModeratePlayer(ctx, record.HidingByMerge(into, postgres.Now()))
	if errors.Is(err, record.ErrAlreadyHidden) {
		return nil
	}
	return err
}

// Each of the two statements has an index.
const (
	transferSQL = `
		update records set player_id = @into, submitted_by = coalesce(submitted_by, player_id)
		where map_id = @map and player_id = @from and removed_at is null`
	transferRemovedSQL = `
		update records set player_id = @into, submitted_by = coalesce(submitted_by, player_id)
		where map_id = @map and player_id = @from and removed_at is not null`
)

// transferOnMap transfers the records on one map, and makes one personal best of two. If the other player is hidden,
// the records become hidden, and the fact names the world record of another player that is in force again.
func transferOnMap(ctx context.Context, tx pgx.Tx, mapID, from string) error {
	into, err := copies.LockCurrent(ctx, tx, from)
	if err != nil {
		return err
	}
	if err := lockMaps(ctx, tx, mapID); err != nil {
		return err
	}
	before, err := currentWorldRecords(ctx, tx, []string{mapID})
	if err != nil {
		return err
	}
	args := pgx.NamedArgs{"map": mapID, "from": from, "into": into}
	if err := postgres.ExecBatch(ctx, tx, args, transferSQL, transferRemovedSQL); err != nil {
		return err
	}
	if err := recount(ctx, tx, []string{mapID}, []string{from, into}); err != nil {
		return err
	}
	var hidden bool
	if err := tx.QueryRow(ctx, isHiddenSQL, into).Scan(&hidden); err != nil || !hidden {
		return err
	}
	after, err := currentWorldRecords(ctx, tx, []string{mapID})
	if err != nil {
		return err
	}
	changed := worldRecordsThatDiffer(after, before)
	if len(changed) == 0 {
		return nil
	}
	change := record.HidingByMerge(into, postgres.Now())
	hiding, entry, err := record.Hiding{PlayerID: into}.Moderate(change)
	if err != nil {
		return err
	}
	if err := outbox.Append(ctx, tx, hidingFact(hiding, change, changed)); err != nil {
		return err
	}
	return audit.Append(ctx, tx, entry)
}

// transferPutAsideSQL keeps, of two rows of a map, the later end.
const transferPutAsideSQL = `
	with moved as (delete from goals_put_aside where player_id = @from returning map_id, until)
	insert into goals_put_aside as p (player_id, map_id, until)
	select @into, map_id, until from moved
	on conflict (player_id, map_id) do update set until = greatest(p.until, excluded.until)`

// transferPutAside gives what a merged player has put aside to whom the player was merged into. The states of the two
// may have come in another order, so that a deleted player gets something.
func transferPutAside(ctx context.Context, tx pgx.Tx, from string) error {
	into, err := copies.LockCurrent(ctx, tx, from)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, transferPutAsideSQL, pgx.NamedArgs{"from": from, "into": into}); err != nil {
		return err
	}
	if deleted, err := copies.IsDeleted(ctx, tx, into); err != nil || !deleted {
		return err
	}
	return forget(ctx, tx, into)
}
