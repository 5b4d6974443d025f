package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// ModerateRecord implements record.ModerationStore.
func (s *Store) ModerateRecord(
	ctx context.Context, by access.Attribution, action access.Action, id string,
) (changed record.Record, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		c, err := changeRemoval(ctx, tx, action, id, by)
		if err != nil {
			return err
		}
		changed = c.record
		if action == access.RestoreRecord {
			return outbox.Append(ctx, tx,
				event.RecordRestored(c.fact(c.isBest, c.before.worldRecordUnless(c.after), by)))
		}
		return outbox.Append(ctx, tx, c.fact(c.wasBest, c.after.worldRecordUnless(c.before), by))
	})
	return changed, err
}

// removalChange is a record that was removed or restored. wasBest and isBest are true where it was a personal best
// before and is one after that.
type removalChange struct {
	record          record.Record
	wasBest, isBest bool
	before, after   leaders
}

// fact returns what is published of a record that was removed. worldRecord is the one that takes its place.
func (c removalChange) fact(isBest bool, worldRecord *event.WorldRecord, by access.Attribution) event.RecordRemoved {
	r := c.record
	return event.RecordRemoved{
		RecordID: r.ID, MapID: r.MapID, PlayerID: r.PlayerID, FinishTime: int64(r.FinishTime),
		FinishTimeStamp: r.FinishTimeStamp, CreatedAt: r.CreatedAt, PersonalBest: isBest,
		Moved: c.before.top.Moved(c.after.top, r.PlayerID), WorldRecord: worldRecord,
		Reason: string(by.Reason), DecisionID: by.DecisionID, At: postgres.Now(),
	}
}

const setRemovalSQL = `
	update records set
		removed_at = case when @removed::boolean then @now::timestamptz end,
		removed_reason = case when @removed::boolean then @reason::text end
	where id = @id`

// changeRemoval locks a record, stores what the rule decides, with the entry of the audit log, and recounts.
func changeRemoval(
	ctx context.Context, tx pgx.Tx, action access.Action, id string, by access.Attribution,
) (c removalChange, err error) {
	var before record.Removal
	if c.record, before, err = lockRecord(ctx, tx, id); err != nil {
		return c, err
	}
	after, err := before.Moderate(action)
	if err != nil {
		return c, err
	}
	if c.wasBest, err = isPersonalBest(ctx, tx, c.record); err != nil {
		return c, err
	}
	if c.before, err = readLeaders(ctx, tx, c.record.MapID); err != nil {
		return c, err
	}
	args := pgx.NamedArgs{"id": id, "removed": after.Removed, "now": postgres.Now(), "reason": by.Reason}
	if _, err := tx.Exec(ctx, setRemovalSQL, args); err != nil {
		return c, fmt.Errorf("remove or restore record %s: %w", id, err)
	}
	if err := audit.Append(ctx, tx, access.Entry{
		By: by, Action: action, Target: id,
		Before: auditValues(c.record, before.Removed), After: auditValues(c.record, after.Removed),
	}); err != nil {
		return c, err
	}
	if err := recount(ctx, tx, []string{c.record.MapID}, []string{c.record.PlayerID}); err != nil {
		return c, err
	}
	if c.isBest, err = isPersonalBest(ctx, tx, c.record); err != nil {
		return c, err
	}
	c.after, err = readLeaders(ctx, tx, c.record.MapID)
	return c, err
}

const isPersonalBestSQL = `
	select exists (
		select from personal_bests where map_id = @map and player_id = @player and record_id = @id)`

func isPersonalBest(ctx context.Context, tx pgx.Tx, r record.Record) (is bool, err error) {
	args := pgx.NamedArgs{"map": r.MapID, "player": r.PlayerID, "id": r.ID}
	err = tx.QueryRow(ctx, isPersonalBestSQL, args).Scan(&is)
	return is, postgres.Wrap(err, "personal best of record %s", r.ID)
}

const (
	recordSQL = `select ` + recordColumns + ` from records r where id = @id`
	// lockRemovalSQL waits for a purge of the record's replay.
	lockRemovalSQL = `
		select removed_at is not null, replay_purged_at is not null from records where id = @id for update`
)

// lockRecord locks the map of a record and the record, and returns it. A record's map never changes, its player only
// under the map's lock.
func lockRecord(ctx context.Context, tx pgx.Tx, id string) (record.Record, record.Removal, error) {
	var removal record.Removal
	args := pgx.NamedArgs{"id": id}
	found, err := selectRecord(ctx, tx, recordSQL, args)
	if err != nil {
		return record.Record{}, removal, err
	}
	if err := lockMaps(ctx, tx, found.MapID); err != nil {
		return record.Record{}, removal, err
	}
	if err := tx.QueryRow(ctx, lockRemovalSQL, args).Scan(&removal.Removed, &removal.ReplayPurged); err != nil {
		return record.Record{}, removal, fmt.Errorf("lock record %s: %w", id, err)
	}
	found, err = selectRecord(ctx, tx, recordSQL, args)
	return found, removal, err
}

// auditValues returns what the audit log says of a record.
func auditValues(r record.Record, removed bool) map[string]any {
	return map[string]any{"map": r.MapID, "player": r.PlayerID, "finishTime": r.FinishTime, "removed": removed}
}

// errNewMap is returned where the player has got the first record on another map meanwhile.
var errNewMap = errors.New("the player has a record on another map")

// maxHideAttempts bounds the attempts to lock all maps of a player.
const maxHideAttempts = 5

// ModeratePlayer implements record.ModerationStore. It changes the records on all maps in one transaction.
func (s *Store) ModeratePlayer(
	ctx context.Context, by access.Attribution, action access.Action, playerID string,
) (err error) {
	for range maxHideAttempts {
		err = s.db.InTx(ctx, func(tx pgx.Tx) error {
			current, err := copies.LockCurrent(ctx, tx, playerID)
			if err != nil {
				return err
			}
			changed, err := setHidden(ctx, tx, action, current)
			if err != nil {
				return err
			}
			return appendHidden(ctx, tx, current, by, action, changed)
		})
		if !errors.Is(err, errNewMap) {
			break
		}
	}
	return err
}

const (
	setHiddenSQL    = `update player_totals set hidden = @hidden where player_id = @player`
	isHiddenSQL     = `select coalesce((select hidden from player_totals where player_id = $1), false)`
	forgetHiddenSQL = `update player_totals set hidden = false where player_id = $1 and hidden`
)

// setHidden locks the maps of a player before the player's total, as submissions do. The lock of the total then keeps
// the player from submitting: what was submitted on another map meanwhile is seen after it. It returns the world
// records of others that are in force again, or that the player has broken again, as in event.RecordsHidden.
func setHidden(
	ctx context.Context, tx pgx.Tx, action access.Action, playerID string,
) ([]event.MapWorldRecord, error) {
	maps, err := postgres.Collect(ctx, tx, pgx.RowTo[string], mapsPlayedSQL, playerID)
	if err != nil {
		return nil, fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	if err := lockMaps(ctx, tx, maps...); err != nil {
		return nil, err
	}
	var before record.Hiding
	args := pgx.NamedArgs{"player": playerID}
	if err := tx.QueryRow(ctx, lockPlayerTotalSQL, args).Scan(&before.Hidden); err != nil {
		return nil, fmt.Errorf("total of player %s: %w", playerID, err)
	}
	after, err := before.Moderate(action)
	if err != nil {
		return nil, err
	}
	args["hidden"] = after.Hidden
	if _, err := tx.Exec(ctx, setHiddenSQL, args); err != nil {
		return nil, fmt.Errorf("hide or show player %s: %w", playerID, err)
	}
	locked := maps
	if maps, err = postgres.Collect(ctx, tx, pgx.RowTo[string], mapsPlayedSQL, playerID); err != nil {
		return nil, fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	if !slices.Equal(maps, locked) {
		return nil, errNewMap
	}
	worldRecordsBefore, err := currentWorldRecords(ctx, tx, maps)
	if err != nil {
		return nil, err
	}
	if err := recount(ctx, tx, maps, []string{playerID}); err != nil {
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

// appendHidden appends the audit and the fact of a player whose records became hidden or are shown again.
func appendHidden(
	ctx context.Context, tx pgx.Tx, playerID string, by access.Attribution, action access.Action,
	changed []event.MapWorldRecord,
) error {
	isHidden := action == access.HidePlayer
	err := audit.Append(ctx, tx, access.Entry{
		By: by, Action: action, Target: playerID,
		Before: map[string]any{"hidden": !isHidden}, After: map[string]any{"hidden": isHidden},
	})
	if err != nil {
		return err
	}
	fact := event.RecordsHidden{
		PlayerID: playerID, WorldRecords: changed, Reason: string(by.Reason), DecisionID: by.DecisionID, At: postgres.Now(),
	}
	if !isHidden {
		return outbox.Append(ctx, tx, event.RecordsShown(fact))
	}
	return outbox.Append(ctx, tx, fact)
}
