package postgres

import (
	"cmp"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const (
	isActiveRecordSQL = `select exists (select from records r where r.id = @record and ` + isActive + `)`
	// passedPlayersSQL looks the players' rows up one by one ("limit 1"), of which the planner expects too many.
	passedPlayersSQL = `
		with passing as materialized (
			select id, map_id, player_id, finish_time, finished_at, seq from records where id = @record
		), replaced as materialized (
			select best.*
			from passing cross join lateral (
				select id, finish_time, finished_at from records
				where map_id = passing.map_id and player_id = passing.player_id and removed_at is null
					and seq < passing.seq
				order by finish_time, seq
				limit 1
			) best
		)
		select b.player_id, b.record_id, b.finish_time,
			leaderboard_rank(passing.map_id, b.finish_time, b.finished_at, b.record_id)
		from passing cross join (select distinct id from unnest(@players::uuid[]) as asked (id)) asked
			cross join lateral (
				select player_id, record_id, finish_time, finished_at from personal_bests
				where map_id = passing.map_id and player_id = asked.id
				limit 1
			) b
			join records r on r.id = b.record_id and r.seq < passing.seq
			left join replaced on true
		where b.player_id <> passing.player_id
			and (b.finish_time, b.finished_at, b.record_id) > (passing.finish_time, passing.finished_at, passing.id)
			and (replaced.id is null or replaced.finish_time > passing.finish_time
				and (b.finish_time, b.finished_at, b.record_id) < (replaced.finish_time, replaced.finished_at, replaced.id))
		order by b.finish_time, b.finished_at, b.record_id`
	mapPlayersSQL = `
		select player_id from personal_bests
		where map_id = @map and player_id > @after
		order by player_id
		limit @limit`
)

// PassedPlayers implements leaderboard.AnswerQueries.
func (s *Store) PassedPlayers(
	ctx context.Context, recordID string, playerIDs []string,
) (passed []event.MovedPlayer, err error) {
	var active bool
	args := pgx.NamedArgs{"record": recordID, "players": playerIDs}
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, isActiveRecordSQL, args, &active)
	postgres.QueueRows(batch, &passed, func(row pgx.CollectableRow) (p event.MovedPlayer, err error) {
		err = row.Scan(&p.PlayerID, &p.RecordID, &p.FinishTime, &p.To)
		p.From = p.To - 1
		return p, err
	}, passedPlayersSQL, args)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("players whom record %s has passed: %w", recordID, err)
	}
	if !active {
		return nil, record.ErrRecordUnknown
	}
	return passed, nil
}

// MapPlayers implements leaderboard.AnswerQueries.
func (s *Store) MapPlayers(ctx context.Context, mapID, after string, limit int) ([]string, error) {
	players, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], mapPlayersSQL,
		pgx.NamedArgs{"map": mapID, "after": cmp.Or(after, noID), "limit": limit})
	return players, postgres.Wrap(err, "players of map %s", mapID)
}

const findFinishSQL = `
	select id from records
	where finish_time = @finish_time and finished_at = @finished_at
		and map_id in (select id from maps where game_map_id = @game_map_id)
	limit 1`

// FindFinish implements leaderboard.AnswerQueries.
func (s *Store) FindFinish(ctx context.Context, finish event.FindFinish) (found event.FoundFinish, err error) {
	err = s.db.QueryRow(ctx, findFinishSQL, pgx.NamedArgs{
		"game_map_id": finish.GameMapID, "finish_time": finish.FinishTime, "finished_at": finish.FinishTimeStamp,
	}).Scan(&found.RecordID)
	return found, postgres.ReadError(err, nil, "find a finish on game map %d", finish.GameMapID)
}
