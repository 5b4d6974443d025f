package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Submit implements record.SubmissionStore.
func (s *Store) Submit(ctx context.Context, a record.Accepted) (record.Placement, error) {
	var placement record.Placement
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := markDelivered(ctx, tx, a.Delivery); err != nil {
			return err
		}
		if err := a.Replay.Claim(ctx, tx); err != nil { // before the lock, which other submissions wait for
			return err
		}
		totals, err := lockTotals(ctx, tx, a.Record)
		if err != nil {
			return err
		}
		ofMap := totals.ofMap
		if placement, ofMap.WorldRecord, err = insertRecord(ctx, tx, a, totals.previousBest); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, ofMap, totals.ofPlayer, event.RecordSubmitted{
			RecordID: a.Record.ID, MapID: a.Record.MapID, PlayerID: a.Record.PlayerID, FinishTime: int64(a.Record.FinishTime),
			PersonalBest: placement.PersonalBest, WorldRecord: placement.WorldRecord(), At: a.Record.CreatedAt,
		})
	})
	if isDuplicate(err) {
		existing, err := s.FindDuplicate(ctx, a.Record)
		if err != nil {
			return record.Placement{}, err
		}
		return record.Placement{}, a.Record.DuplicateProblem(existing)
	}
	if err != nil {
		return record.Placement{}, fmt.Errorf("submit a record on map %s: %w", a.Record.MapID, err)
	}
	return placement, nil
}

// markDelivered inserts the message of an imported record into the inbox. It returns
// record.ErrDelivered for one that is there.
func markDelivered(ctx context.Context, tx pgx.Tx, d record.Delivery) error {
	if d == (record.Delivery{}) {
		return nil
	}
	batch := &pgx.Batch{}
	eventbus.QueueOnce(batch, d.Consumer, d.ID, record.ErrDelivered)
	return tx.SendBatch(ctx, batch).Close()
}

// lockedTotals are the totals that count a new record, and the player's best before it.
type lockedTotals struct {
	ofMap    event.MapStats
	ofPlayer event.PlayerStats
	// previousBest is a finish time, and 0 where there is none.
	previousBest int
}

// findPlacementSQL sees what was committed while the statement before it waited for the map's
// lock. It locks the copy of the player, so that no merge overlooks the new record.
const findPlacementSQL = `
	select
		coalesce((select removed from maps where id = @map), false),
		coalesce((select merged_into is not null from players where id = @player for share), false),
		coalesce((select finish_time from personal_bests where map_id = @map and player_id = @player), 0)`

// lockTotals counts the record in the totals of its map and its player, which locks both. It
// returns record.ErrMapRemoved or event.ErrPlayerMerged.
func lockTotals(ctx context.Context, tx pgx.Tx, r record.Record) (lockedTotals, error) {
	totals := lockedTotals{ofMap: event.MapStats{MapID: r.MapID}, ofPlayer: event.PlayerStats{PlayerID: r.PlayerID}}
	var mapRemoved, playerMerged bool
	args := pgx.NamedArgs{"map": r.MapID, "player": r.PlayerID, "change": 1}
	batch := &pgx.Batch{}
	batch.Queue(addMapRecordsSQL, args).QueryRow(func(row pgx.Row) error {
		return row.Scan(&totals.ofMap.Version, &totals.ofMap.Records)
	})
	batch.Queue(findPlacementSQL, args).QueryRow(func(row pgx.Row) error {
		return row.Scan(&mapRemoved, &playerMerged, &totals.previousBest)
	})
	batch.Queue(addPlayerRecordsSQL, args).QueryRow(func(row pgx.Row) error {
		return row.Scan(&totals.ofPlayer.Version, &totals.ofPlayer.Records)
	})
	err := tx.SendBatch(ctx, batch).Close()
	switch {
	case err != nil:
		return lockedTotals{}, err
	case mapRemoved:
		return lockedTotals{}, record.ErrMapRemoved
	case playerMerged:
		return lockedTotals{}, event.ErrPlayerMerged
	}
	return totals, nil
}

const (
	// insertRecordSQL ranks a personal best before it is one: the player's best so far is slower.
	insertRecordSQL = `
		insert into records (id, map_id, player_id, finish_time, finished_at, undated, replay_hash, created_at,
			checks_hash, rank_at_submission)
		values (@id, @map, @player, @finish_time, @finished_at, @undated, @replay_hash, @created_at,
			@checks_hash, case when @personal_best then leaderboard_rank(@map, @finish_time, @finished_at, @id) end)
		returning coalesce(rank_at_submission, 0)`
	improvePersonalBestSQL = `
		insert into personal_bests as p (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
		values (@map, @player, @id, @finish_time, @finished_at, @created_at, 1)
		on conflict (map_id, player_id) do update set
			record_id = excluded.record_id, finish_time = excluded.finish_time, finished_at = excluded.finished_at,
			created_at = excluded.created_at, records = p.records + 1`
	countRecordSQL = `update personal_bests set records = records + 1 where map_id = @map and player_id = @player`
	bestRankSQL    = `
		select leaderboard_rank(map_id, finish_time, finished_at, record_id)
		from personal_bests
		where map_id = @map and player_id = @player`
)

// insertRecord inserts the record with its list of checks, improves the player's personal best, if the record is one,
// and ranks it. It returns the map's world record after that. The unique constraints refuse duplicates.
func insertRecord(
	ctx context.Context, tx pgx.Tx, a record.Accepted, previousBest int,
) (record.Placement, *event.WorldRecord, error) {
	r := a.Record
	checks, checksHash, err := marshalChecks(a.Verification)
	if err != nil {
		return record.Placement{}, nil, err
	}
	placement := record.Placement{
		PersonalBest: previousBest == 0 || r.Beats(record.Record{FinishTime: previousBest}),
		PreviousBest: previousBest,
	}
	scanRank := func(row pgx.Row) error { return row.Scan(&placement.Rank) }
	args := pgx.NamedArgs{
		"id": r.ID, "map": r.MapID, "player": r.PlayerID, "finish_time": r.FinishTime, "finished_at": r.FinishTimeStamp,
		"undated": r.Undated, "replay_hash": r.ReplayHash, "created_at": r.CreatedAt,
		"personal_best": placement.PersonalBest, "checks": checks, "checks_hash": checksHash,
	}
	var worldRecord *event.WorldRecord
	batch := &pgx.Batch{}
	batch.Queue(insertRecordSQL, args).QueryRow(scanRank)
	batch.Queue(insertCheckListSQL, args)
	if placement.PersonalBest {
		batch.Queue(improvePersonalBestSQL, args)
	} else {
		batch.Queue(countRecordSQL, args)
		batch.Queue(bestRankSQL, args).QueryRow(scanRank)
	}
	batch.Queue(worldRecordSQL, args).QueryRow(func(row pgx.Row) (err error) {
		worldRecord, err = scanWorldRecord(row)
		return err
	})
	return placement, worldRecord, tx.SendBatch(ctx, batch).Close()
}

// isDuplicate reports whether a constraint has refused a record as a duplicate.
func isDuplicate(err error) bool {
	return postgres.Violates(err, "records_replay") || postgres.Violates(err, "records_moment") ||
		postgres.Violates(err, "records_undated")
}

// findDuplicateSQL compares the time stamps of records on all versions of the map.
const findDuplicateSQL = `
	select ` + recordColumns + `
	from (
		select 1 as preference, * from records where replay_hash = @replay_hash
		union all
		select 2, * from records
		where finish_time = @finish_time and finished_at = @finished_at and map_id = any (array(
			select @map::uuid
			union
			select v.id from maps m join maps v on v.game_map_id = m.game_map_id and not v.removed
			where m.id = @map and not m.removed))
		union all
		select 3, * from records
		where @undated::boolean and map_id = @map and finish_time = @finish_time and player_id = @player
	) duplicates
	order by preference, seq
	limit 1`

// FindDuplicate implements record.SubmissionStore.
func (s *Store) FindDuplicate(ctx context.Context, r record.Record) (record.Record, error) {
	rows, err := s.pool.Query(ctx, findDuplicateSQL, pgx.NamedArgs{
		"replay_hash": r.ReplayHash, "map": r.MapID, "finish_time": r.FinishTime, "finished_at": r.FinishTimeStamp,
		"undated": r.Undated, "player": r.PlayerID,
	})
	if err != nil {
		return record.Record{}, fmt.Errorf("find a duplicate: %w", err)
	}
	existing, err := collectRecord(rows)
	if err != nil && !errors.Is(err, record.ErrRecordUnknown) {
		return record.Record{}, fmt.Errorf("find a duplicate: %w", err)
	}
	return existing, err
}
