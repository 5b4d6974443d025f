package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// ModerateRecord implements record.ModerationStore.
func (s *Store) ModerateRecord(ctx context.Context, change record.Moderation) (changed record.Record, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lockRemoval(ctx, tx, change.RecordID)
		if err != nil {
			return err
		}
		after, entry, err := before.Moderate(change)
		if err != nil {
			return err
		}
		fact, err := saveRemoval(ctx, tx, after, change)
		if err != nil {
			return err
		}
		changed = after.Record
		if err := outbox.Append(ctx, tx, fact); err != nil {
			return err
		}
		return audit.Append(ctx, tx, entry)
	})
	return changed, err
}

const (
	mapOfRecordSQL = `select map_id from records where id = @id`
	// lockRemovalSQL waits for a purge of the record's replay.
	lockRemovalSQL = `
		select ` + recordColumns + `, r.removed_at is not null, r.replay_purged_at is not null
		from records r where r.id = @id for update`
)

// lockRemoval locks the map of a record and the record, and returns it. A record's map never changes, its player only
// under the map's lock.
func lockRemoval(ctx context.Context, tx pgx.Tx, id string) (found record.Removal, err error) {
	args := pgx.NamedArgs{"id": id}
	var mapID string
	if err := tx.QueryRow(ctx, mapOfRecordSQL, args).Scan(&mapID); err != nil {
		return found, postgres.ReadError(err, record.ErrRecordUnknown, "map of record %s", id)
	}
	if err := lockMaps(ctx, tx, mapID); err != nil {
		return found, err
	}
	targets := append(recordTargets(&found.Record), &found.Removed, &found.ReplayPurged)
	err = tx.QueryRow(ctx, lockRemovalSQL, args).Scan(targets...)
	return found, postgres.Wrap(err, "lock record %s", id)
}

const setRemovalSQL = `
	update records set
		removed_at = case when @removed::boolean then @now::timestamptz end,
		removed_reason = case when @removed::boolean then @reason::text end
	where id = @id`

// saveRemoval stores that a record was removed or restored, and recounts. It returns the fact.
func saveRemoval(ctx context.Context, tx pgx.Tx, after record.Removal, change record.Moderation) (outbox.Event, error) {
	r := after.Record
	wasBest, leadersBefore, err := readPlace(ctx, tx, r)
	if err != nil {
		return nil, err
	}
	args := pgx.NamedArgs{"id": r.ID, "removed": after.Removed, "now": change.At, "reason": change.By.Reason}
	if _, err := tx.Exec(ctx, setRemovalSQL, args); err != nil {
		return nil, fmt.Errorf("remove or restore record %s: %w", r.ID, err)
	}
	if err := recount(ctx, tx, []string{r.MapID}, []string{r.PlayerID}); err != nil {
		return nil, err
	}
	isBest, leadersAfter, err := readPlace(ctx, tx, r)
	if err != nil {
		return nil, err
	}
	fact := event.RecordRemoved{
		RecordID: r.ID, MapID: r.MapID, PlayerID: r.PlayerID, FinishTime: int64(r.FinishTime),
		FinishTimeStamp: r.FinishTimeStamp, CreatedAt: r.CreatedAt, PersonalBest: wasBest,
		Moved:       leadersBefore.top.Moved(leadersAfter.top, r.PlayerID),
		WorldRecord: leadersAfter.worldRecordUnless(leadersBefore),
		Reason:      string(change.By.Reason), DecisionID: change.By.DecisionID, At: change.At,
	}
	if after.Removed {
		return fact, nil
	}
	fact.PersonalBest, fact.WorldRecord = isBest, leadersBefore.worldRecordUnless(leadersAfter)
	return event.RecordRestored(fact), nil
}

const (
	isPersonalBestSQL = `
		select exists (
			select from personal_bests where map_id = @map and player_id = @player and record_id = @id)`
	isMapRemovedSQL = `select exists (select from maps where id = @map and removed)`
)

// readPlace reports whether a record is a personal best, and returns the leaders of its map. A removed map has none:
// what is left of its leaderboard is not shown.
func readPlace(ctx context.Context, tx pgx.Tx, r record.Record) (isBest bool, of leaders, err error) {
	var isMapRemoved bool
	args := pgx.NamedArgs{"map": r.MapID, "player": r.PlayerID, "id": r.ID}
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, isPersonalBestSQL, args, &isBest)
	postgres.QueueRow(batch, isMapRemovedSQL, args, &isMapRemoved)
	queueLeaders(batch, r.MapID, &of)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, leaders{}, fmt.Errorf("place of record %s: %w", r.ID, err)
	}
	if isMapRemoved {
		of = leaders{}
	}
	return isBest, of, nil
}

// errNewMap ends an attempt in which the player has got the first record on another map.
var errNewMap = errors.New("the player has a record on another map")

// maxHideAttempts bounds the attempts to lock all maps of a player.
const maxHideAttempts = 5

// ModeratePlayer implements record.ModerationStore. It changes the records on all maps in one transaction.
func (s *Store) ModeratePlayer(ctx context.Context, change record.Moderation) error {
	for range maxHideAttempts {
		err := s.db.InTx(ctx, func(tx pgx.Tx) error {
			before, maps, err := lockHiding(ctx, tx, change.PlayerID)
			if err != nil {
				return err
			}
			after, entry, err := before.Moderate(change)
			if err != nil {
				return err
			}
			worldRecords, err := saveHiding(ctx, tx, after, maps)
			if err != nil {
				return err
			}
			if err := outbox.Append(ctx, tx, hidingFact(after, change, worldRecords)); err != nil {
				return err
			}
			return audit.Append(ctx, tx, entry)
		})
		if !errors.Is(err, errNewMap) {
			return err
		}
	}
	return record.ErrPlayerBusy.Wrap(errNewMap)
}

const (
	setHiddenSQL    = `update player_totals set hidden = @hidden where player_id = @player`
	isHiddenSQL     = `select coalesce((select hidden from player_totals where player_id = $1), false)`
	forgetHiddenSQL = `update player_totals set hidden = false where player_id = $1 and hidden`
)

// lockHiding locks the maps of a player, or of whom the player was merged into, before the player's total, as
// submissions do. The lock of the total then keeps the player from submitting: what was submitted on another map
// meanwhile is seen after it, and errNewMap returned. It returns the maps, too.
func lockHiding(ctx context.Context, tx pgx.Tx, playerID string) (found record.Hiding, maps []string, err error) {
	if found.PlayerID, err = copies.LockCurrent(ctx, tx, playerID); err != nil {
		return found, nil, err
	}
	if maps, err = mapsPlayed(ctx, tx, found.PlayerID); err != nil {
		return found, nil, err
	}
	if err := lockMaps(ctx, tx, maps...); err != nil {
		return found, nil, err
	}
	args := pgx.NamedArgs{"player": found.PlayerID}
	if err := tx.QueryRow(ctx, lockPlayerTotalSQL, args).Scan(&found.Hidden); err != nil {
		return found, nil, fmt.Errorf("total of player %s: %w", found.PlayerID, err)
	}
	now, err := mapsPlayed(ctx, tx, found.PlayerID)
	if err == nil && !slices.Equal(now, maps) {
		err = errNewMap
	}
	return found, maps, err
}

// saveHiding stores whether a player is hidden, and recounts the maps. It returns the world records of others that are
// in force again, or that the player has broken again, as in event.RecordsHidden.
func saveHiding(ctx context.Context, tx pgx.Tx, after record.Hiding, maps []string) ([]event.MapWorldRecord, error) {
	args := pgx.NamedArgs{"player": after.PlayerID, "hidden": after.Hidden}
	if _, err := tx.Exec(ctx, setHiddenSQL, args); err != nil {
		return nil, fmt.Errorf("hide or show player %s: %w", after.PlayerID, err)
	}
	worldRecordsBefore, err := currentWorldRecords(ctx, tx, maps)
	if err != nil {
		return nil, err
	}
	if err := recount(ctx, tx, maps, []string{after.PlayerID}); err != nil {
		return nil, err
	}
	worldRecords, err := currentWorldRecords(ctx, tx, maps)
	if err != nil {
		return nil, err
	}
	if after.Hidden {
		return worldRecordsThatDiffer(worldRecords, worldRecordsBefore), nil
	}
	return worldRecordsThatDiffer(worldRecordsBefore, worldRecords), nil
}

// hidingFact returns the fact of a player whose records became hidden or are shown again.
func hidingFact(after record.Hiding, change record.Moderation, worldRecords []event.MapWorldRecord) outbox.Event {
	fact := event.RecordsHidden{
		PlayerID: after.PlayerID, WorldRecords: worldRecords,
		Reason: string(change.By.Reason), DecisionID: change.By.DecisionID, At: change.At,
	}
	if after.Hidden {
		return fact
	}
	return event.RecordsShown(fact)
}
