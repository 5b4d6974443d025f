package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Submit implements record.SubmissionStore.
func (s *Store) Submit(ctx context.Context, a record.Accepted) (placement record.Placement, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		var err error
		if a.Record.PlayerID, err = copies.LockCurrent(ctx, tx, a.Record.PlayerID); err != nil {
			return err
		}
		state, err := attachAndLock(ctx, tx, a)
		if err != nil {
			return err
		}
		if placement, err = state.Place(a); err != nil {
			return err
		}
		if !placement.Active {
			if err := insertInactive(ctx, tx, a); err != nil {
				return err
			}
			return outbox.Append(ctx, tx, newFact(a, placement))
		}
		active, err := insertActive(ctx, tx, a, placement)
		if err != nil {
			return err
		}
		placement.Rank = active.rank
		return outbox.Append(ctx, tx, active.ofMap, active.ofPlayer, newFact(a, placement))
	})
	if isDuplicate(err) {
		existing, err := s.FindDuplicate(ctx, a.Record)
		if err != nil {
			return record.Placement{}, err
		}
		return record.Placement{}, a.Record.DuplicateProblem(existing)
	}
	return placement, postgres.Wrap(err, "submit a record on map %s", a.Record.MapID)
}

func newFact(a record.Accepted, p record.Placement) event.RecordSubmitted {
	var rank int64
	if p.PersonalBest {
		rank = p.Rank
	}
	return event.RecordSubmitted{
		RecordID: a.Record.ID, MapID: a.Record.MapID, PlayerID: a.Record.PlayerID, FinishTime: int64(a.Record.FinishTime),
		FinishTimeStamp: a.Record.FinishTimeStamp, PersonalBest: p.PersonalBest, WorldRecord: p.WorldRecord, Mode: a.Mode,
		Medal: string(a.Medal), Rank: rank,
		Overtook: p.Overtook, PreviousWorldRecord: p.PreviousWorldRecord, Inactive: !p.Active, At: a.Record.CreatedAt,
	}
}

const (
	// lockGameMapSQL is the only advisory lock with two keys. Two game maps with one hash only wait for each other.
	lockGameMapSQL  = `select pg_advisory_xact_lock(1, hashint8(@game_map_id))`
	lockMapTotalSQL = `
		insert into map_totals as t (map_id, version, records, players) values (@map, 0, 0, 0)
		on conflict (map_id) do update set version = t.version`
	// leaderboardStateSQL sees what was committed while the statements before it waited for locks.
	leaderboardStateSQL = `
		select
			coalesce(m.removed, false), coalesce(m.restoring, false),
			coalesce(p.deleted, false), coalesce(p.banned, false),
			coalesce((select finish_time from personal_bests where map_id = @map and player_id = @player), 0),
			exists (
				select from records
				where finish_time = @finish_time and finished_at = @finished_at
					and map_id = any (array(select id from maps where game_map_id = @game_map_id)))
				or @undated::boolean and exists (
					select from records where map_id = @map and finish_time = @finish_time and player_id = @player)
		from (values (@player::uuid, @map::uuid)) as submitted (player_id, map_id)
			left join maps m on m.id = submitted.map_id
			left join players p on p.id = submitted.player_id`
	lockPlayerTotalSQL = `
		insert into player_totals as t (player_id, version, records) values (@player, 0, 0)
		on conflict (player_id) do update set version = t.version
		returning hidden`
)

// attachAndLock attaches the replay, and then locks the totals of the record's map and player, which other
// submissions wait for. It returns what decides about the record.
func attachAndLock(ctx context.Context, tx pgx.Tx, a record.Accepted) (state record.LeaderboardState, err error) {
	r := a.Record
	args := pgx.NamedArgs{
		"game_map_id": a.GameMapID, "map": r.MapID, "player": r.PlayerID,
		"finish_time": r.FinishTime, "finished_at": r.FinishTimeStamp, "undated": r.Undated,
	}
	batch := &pgx.Batch{}
	objectstore.QueueAttach(batch, a.Replay)
	batch.Queue(lockGameMapSQL, args)
	batch.Queue(lockMapTotalSQL, args)
	postgres.QueueRow(batch, leaderboardStateSQL, args, &state.MapRemoved, &state.MapRestoring, &state.PlayerDeleted,
		&state.PlayerBanned, &state.PreviousBest, &state.FinishExists)
	var before leaders
	queueLeaders(batch, r.MapID, &before)
	postgres.QueueRow(batch, lockPlayerTotalSQL, args, &state.PlayerHidden)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return record.LeaderboardState{}, err
	}
	state.Top, state.WorldRecord = before.top, before.worldRecord
	return state, nil
}

const (
	// insertRecordSQL ranks a personal best before it is one: the player's best so far is slower.
	insertRecordSQL = `
		insert into records (id, map_id, player_id, finish_time, finished_at, undated, replay_hash, created_at,
			checks_hash, map_data_hash, mod_version, game_version, rank_at_submission)
		values (@id, @map, @player, @finish_time, @finished_at, @undated, @replay_hash, @created_at,
			@checks_hash, @map_data_hash, @mod_version, @game_version,
			case when @personal_best then leaderboard_rank(@map, @finish_time, @finished_at, @id) end)
		returning coalesce(rank_at_submission, 0)`
	improvePersonalBestSQL = `
		insert into personal_bests as p (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
		values (@map, @player, @id, @finish_time, @finished_at, @created_at, 1)
		on conflict (map_id, player_id) do update set
			record_id = excluded.record_id, finish_time = excluded.finish_time, finished_at = excluded.finished_at,
			created_at = excluded.created_at, records = p.records + 1`
	countRecordSQL = `update personal_bests set records = records + 1 where map_id = @map and player_id = @player`
	// insertPassedSQL stores whom a record has passed until their points are computed.
	insertPassedSQL = `
		insert into points_changes (map_id, player_id, record_id)
		select @map, player_id, @id from unnest(@passed::uuid[]) as p (player_id)`
	countPlayerRecordSQL = `
		update player_totals set version = version + 1, records = records + 1 where player_id = @player
		returning version, records`
	bestRankSQL = `
		select leaderboard_rank(map_id, finish_time, finished_at, record_id)
		from personal_bests
		where map_id = @map and player_id = @player`
)

// recordArgs returns the arguments of the statements that insert a record.
func recordArgs(a record.Accepted) (pgx.NamedArgs, error) {
	checks, checksHash, err := marshalChecks(a.Checks)
	r := a.Record
	return pgx.NamedArgs{
		"id": r.ID, "map": r.MapID, "player": r.PlayerID, "finish_time": r.FinishTime, "finished_at": r.FinishTimeStamp,
		"undated": r.Undated, "replay_hash": r.ReplayHash, "created_at": r.CreatedAt, "checks_hash": checksHash,
		"checks": checks, "map_data_hash": a.File.MapDataHash[:], "mod_version": a.File.Versions.Mod,
		"game_version": a.File.Versions.Game, "personal_best": false,
	}, err
}

// activeRecord is what a new active record has made.
type activeRecord struct {
	// rank is that of the player's best.
	rank     int64
	ofMap    event.MapStats
	ofPlayer event.PlayerStats
}

// insertActive inserts an active record with its list of checks, improves the player's personal best, if the record is
// one, ranks the personal best, and counts the record in the totals, which are locked. The unique constraints refuse
// duplicates.
func insertActive(
	ctx context.Context, tx pgx.Tx, a record.Accepted, placement record.Placement,
) (active activeRecord, err error) {
	args, err := recordArgs(a)
	if err != nil {
		return activeRecord{}, err
	}
	passed := placement.Passed()
	args["personal_best"], args["passed"], args["change"] = placement.PersonalBest, passed, 1
	active.ofMap.MapID, active.ofPlayer.PlayerID = a.Record.MapID, a.Record.PlayerID
	scanRank := func(row pgx.Row) error { return row.Scan(&active.rank) }
	batch := &pgx.Batch{}
	batch.Queue(insertRecordSQL, args).QueryRow(scanRank)
	batch.Queue(insertCheckListSQL, args)
	if a.First {
		batch.Queue(setFirstSQL, args)
	}
	if placement.PersonalBest {
		batch.Queue(improvePersonalBestSQL, args)
		if len(passed) > 0 {
			batch.Queue(insertPassedSQL, args)
		}
	} else {
		batch.Queue(countRecordSQL, args)
		batch.Queue(bestRankSQL, args).QueryRow(scanRank)
	}
	postgres.QueueRow(batch, addMapRecordsSQL, args, &active.ofMap.Version, &active.ofMap.Records)
	queueWorldRecord(batch, args, &active.ofMap.WorldRecord)
	postgres.QueueRow(batch, countPlayerRecordSQL, args, &active.ofPlayer.Version, &active.ofPlayer.Records)
	err = tx.SendBatch(ctx, batch).Close() // sets active
	return active, err
}

// insertInactive inserts the first record on a removed map or of a hidden player, which is not active until that ends.
// The trigger takes it for a world record, so that these are computed again.
func insertInactive(ctx context.Context, tx pgx.Tx, a record.Accepted) error {
	args, err := recordArgs(a)
	if err != nil {
		return err
	}
	return postgres.ExecBatch(ctx, tx, args, insertRecordSQL, insertCheckListSQL, setFirstSQL, rebuildWorldRecordsSQL)
}

// isDuplicate reports whether a record was refused as a duplicate, by a constraint or because of another version.
func isDuplicate(err error) bool {
	return errors.Is(err, record.ErrReplayExists) || postgres.Violates(err, "records_replay") ||
		postgres.Violates(err, "records_duplicate_finish") || postgres.Violates(err, "records_undated")
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
			select v.id from maps m join maps v on v.game_map_id = m.game_map_id and v.game_map_id > 0
			where m.id = @map))
		union all
		select 3, * from records
		where @undated::boolean and map_id = @map and finish_time = @finish_time and player_id = @player
	) r
	order by preference, seq
	limit 1`

// FindDuplicate implements record.SubmissionStore.
func (s *Store) FindDuplicate(ctx context.Context, r record.Record) (existing record.Record, err error) {
	err = s.db.QueryRow(ctx, findDuplicateSQL, pgx.NamedArgs{
		"replay_hash": r.ReplayHash, "map": r.MapID, "finish_time": r.FinishTime, "finished_at": r.FinishTimeStamp,
		"undated": r.Undated, "player": r.PlayerID,
	}).Scan(recordTargets(&existing)...)
	return existing, postgres.ReadError(err, record.ErrRecordUnknown, "duplicate of a record on map %s", r.MapID)
}

const insertCheckListSQL = `
	insert into check_lists (hash, checks) values (@checks_hash, @checks)
	on conflict (hash) do nothing`

// marshalChecks returns a list of checks as it is stored, and its hash.
func marshalChecks(checks replaycheck.List) (list, hash []byte, err error) {
	var stored checkList
	for _, c := range checks {
		stored.Checks = append(stored.Checks, storedCheck{c.Name, c.Result})
	}
	list, err = json.Marshal(stored)
	sum := sha256.Sum256(list)
	return list, sum[:], err
}
