package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

const (
	siteTotalSQL   = `select coalesce(sum(records), 0) from map_totals`
	playerTotalSQL = `select coalesce((select records from player_totals where player_id = @player), 0)`
)

// List implements record.Queries. The page and the total are read in one round trip.
func (s *Store) List(ctx context.Context, q record.List) (record.RankedList, error) {
	totalSQL := siteTotalSQL
	if q.PlayerID != "" {
		totalSQL = playerTotalSQL
	}
	var list record.RankedList
	args := pgx.NamedArgs{"player": q.PlayerID, "limit": q.Limit, "offset": q.Offset}
	batch := &pgx.Batch{}
	batch.Queue(totalSQL, args).QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
	batch.Queue(listSQL(q.PlayerID != "", q.Sort), args).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[rankedRow])
		list.Records = rankedRecords(found)
		return err
	})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return record.RankedList{}, fmt.Errorf("list records: %w", err)
	}
	return list, nil
}

// listOrders are the orders of lists. Each has an index for all records and one for the
// records of a player.
var listOrders = map[record.Sort]string{
	{By: record.ByUpdated}:                   ` order by created_at, id`,
	{By: record.ByUpdated, Descending: true}: ` order by created_at desc, id desc`,
	{By: record.ByTime}:                      ` order by finish_time, finished_at, id`,
	{By: record.ByTime, Descending: true}:    ` order by finish_time desc, finished_at desc, id desc`,
}

// listSQL returns the statement of a list. Removed maps and hidden players are few: the planner
// reads them once, while it scans the index of the order.
func listSQL(ofPlayer bool, sort record.Sort) string {
	filter := ``
	if ofPlayer {
		filter = ` and player_id = @player`
	}
	order := listOrders[sort]
	return `with page as materialized (
		select id from records r
		where ` + isActive + filter + order + `
		limit @limit offset @offset
	) select ` + rankedColumns + ` from page join records r on r.id = page.id ` + rankedJoins + order
}

const (
	// isActive is the condition of an active record r.
	isActive = `r.removed_at is null and r.map_id not in (select id from maps where removed)
		and r.player_id not in (select player_id from player_totals where hidden)`
	// rankedColumns are the columns of rankedRow.
	rankedColumns = `
		r.id, r.map_id, r.player_id, r.finish_time, r.finished_at, r.undated, r.replay_hash, r.created_at,
		coalesce(p.name, '') as player_name, coalesce(p.skin_image_url, '') as skin_image_url,
		coalesce(p.skin_color, '') as skin_color,
		coalesce(m.name, '') as map_name, coalesce(m.medal_author, 0) as medal_author,
		coalesce(m.medal_gold, 0) as medal_gold, coalesce(m.medal_silver, 0) as medal_silver,
		coalesce(m.medal_bronze, 0) as medal_bronze,
		exists (
			select from personal_bests b
			where b.map_id = r.map_id and b.player_id = r.player_id and b.record_id = r.id) as personal_best,
		coalesce(w.record_id = r.id, false) as is_world_record,
		coalesce(w.record_id <> r.id and w.finish_time = r.finish_time, false) as equals_world_record`
	// rankedJoins join records r with what is shown of them. A map or a player without a copy has no columns. Each limit
	// keeps the planner from joining whole tables with a page whose length it does not know.
	rankedJoins = `
		left join lateral (select * from players where id = r.player_id limit 1) p on true
		left join lateral (select * from maps where id = r.map_id limit 1) m on true
		left join lateral (
			select record_id, finish_time, since from world_records where map_id = r.map_id order by finish_time limit 1
		) w on true`
)

// rankedRow is a row of rankedColumns. The names of a map or a player without a copy are empty.
type rankedRow struct {
	recordRow
	PlayerName        string
	SkinImageURL      string
	SkinColor         string
	MapName           string
	MedalAuthor       int
	MedalGold         int
	MedalSilver       int
	MedalBronze       int
	PersonalBest      bool
	IsWorldRecord     bool
	EqualsWorldRecord bool
}

func (row rankedRow) ranked() record.RankedRecord {
	return record.RankedRecord{
		Record: row.record(),
		Map: record.Map{ID: row.MapID, Name: row.MapName, Medals: racetime.Medals{
			Author: row.MedalAuthor, Gold: row.MedalGold, Silver: row.MedalSilver, Bronze: row.MedalBronze,
		}},
		Player: record.Player{
			ID: row.PlayerID, Name: row.PlayerName, SkinImageURL: row.SkinImageURL, SkinColor: row.SkinColor,
		},
		PersonalBest: row.PersonalBest, IsWorldRecord: row.IsWorldRecord, EqualsWorldRecord: row.EqualsWorldRecord,
	}
}

func rankedRecords(rows []rankedRow) []record.RankedRecord {
	records := make([]record.RankedRecord, len(rows))
	for i, row := range rows {
		records[i] = row.ranked()
	}
	return records
}

// detailsSQL compares a record with the active records that were accepted before it, and with the
// map's world record now, at one moment.
const detailsSQL = `
	select ` + rankedColumns + `,
		case when exists (select from personal_bests b where b.record_id = r.id and b.map_id = r.map_id
				and b.player_id = r.player_id)
			then leaderboard_rank(r.map_id, r.finish_time, r.finished_at, r.id) else 0 end as rank,
		coalesce(r.rank_at_submission, 0) as rank_at_submission,
		coalesce((
			select min(b.finish_time) from records b
			where b.map_id = r.map_id and b.player_id = r.player_id and b.removed_at is null and b.seq < r.seq
		), 0) as previous_best,
		coalesce((
			select min(b.finish_time) from world_records b where b.map_id = r.map_id and b.seq < r.seq
		), 0) as previous_world_record,
		coalesce(m.map_version, 0) as map_version, coalesce(m.superseded, false) as superseded,
		coalesce(m.picture_bucket, '') as picture_bucket, coalesce(m.picture_key, '') as picture_key,
		coalesce(w.record_id::text, '') as holding_record, coalesce(w.finish_time, 0) as holding_time,
		coalesce(w.since, 'epoch') as holding_since,
		coalesce(h.player_id::text, '') as holder, coalesce(o.name, '') as holder_name,
		coalesce(o.skin_image_url, '') as holder_skin_image_url, coalesce(o.skin_color, '') as holder_skin_color
	from records r ` + rankedJoins + `
		left join records h on h.id = w.record_id
		left join players o on o.id = h.player_id
	where r.id = @id and ` + isActive

// detailsRow is a row of detailsSQL. The columns of a map without a world record are empty.
type detailsRow struct {
	rankedRow
	Rank                int64
	RankAtSubmission    int64
	PreviousBest        int
	PreviousWorldRecord int
	MapVersion          int
	Superseded          bool
	PictureBucket       string
	PictureKey          string
	HoldingRecord       string
	HoldingTime         int
	HoldingSince        time.Time
	Holder              string
	HolderName          string
	HolderSkinImageURL  string
	HolderSkinColor     string
}

// Details implements record.Queries.
func (s *Store) Details(ctx context.Context, id string) (record.Details, error) {
	rows, err := s.pool.Query(ctx, detailsSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return record.Details{}, fmt.Errorf("record %s: %w", id, err)
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[detailsRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return record.Details{}, record.ErrRecordUnknown
	}
	if err != nil {
		return record.Details{}, fmt.Errorf("record %s: %w", id, err)
	}
	return row.details(), nil
}

func (row detailsRow) details() record.Details {
	d := record.Details{
		RankedRecord: row.ranked(), RankAtSubmission: row.RankAtSubmission,
		PreviousBest: row.PreviousBest, PreviousWorldRecord: row.PreviousWorldRecord,
		WorldRecord: record.WorldRecord{
			ID: row.HoldingRecord, FinishTime: row.HoldingTime, Since: row.HoldingSince.UTC(), Player: record.Player{
				ID: row.Holder, Name: row.HolderName, SkinImageURL: row.HolderSkinImageURL, SkinColor: row.HolderSkinColor,
			},
		},
	}
	d.Rank = row.Rank
	d.Map.MapVersion, d.Map.Superseded = row.MapVersion, row.Superseded
	d.Map.Picture = record.StoredFile{Bucket: row.PictureBucket, Key: row.PictureKey}
	return d
}
