package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// detailsSQL compares a record with the active records that were accepted before it, and with the
// map's world record now.
const detailsSQL = `
	select r.rank_at_submission, (
			select min(b.finish_time) from records b
			where b.map_id = r.map_id and b.player_id = r.player_id and b.removed_at is null and b.seq < r.seq
		), (
			select min(b.finish_time) from world_records b where b.map_id = r.map_id and b.seq < r.seq
		),
		w.record_id, w.finish_time, w.since, w.player_id, p.name, p.skin_image_url, p.skin_color,
		m.map_version, m.superseded, m.picture_bucket, m.picture_key
	from records r
		left join maps m on m.id = r.map_id
		left join lateral (
			select b.record_id, b.finish_time, b.since, h.player_id
			from world_records b join records h on h.id = b.record_id
			where b.map_id = r.map_id
			order by b.finish_time
			limit 1
		) w on true
		left join players p on p.id = w.player_id
	where r.id = @id`

// Details implements record.Queries.
func (s *Store) Details(ctx context.Context, id string) (record.Details, error) {
	entry, err := s.Get(ctx, id)
	if err != nil {
		return record.Details{}, err
	}
	var rank *int64
	var previousBest, previousWorldRecord, finishTime, mapVersion *int
	var worldRecord, holder, name, skinImageURL, skinColor, pictureBucket, pictureKey *string
	var since *time.Time
	var superseded *bool
	err = s.pool.QueryRow(ctx, detailsSQL, pgx.NamedArgs{"id": id}).Scan(&rank, &previousBest, &previousWorldRecord,
		&worldRecord, &finishTime, &since, &holder, &name, &skinImageURL, &skinColor, &mapVersion, &superseded,
		&pictureBucket, &pictureKey)
	if err != nil {
		return record.Details{}, fmt.Errorf("details of record %s: %w", id, err)
	}
	entry.Map.MapVersion, entry.Map.Superseded = orZero(mapVersion), orZero(superseded)
	entry.Map.Picture = record.StoredFile{Bucket: orZero(pictureBucket), Key: orZero(pictureKey)}
	return record.Details{
		Entry: entry, RankAtSubmission: orZero(rank),
		PreviousBest: orZero(previousBest), PreviousWorldRecord: orZero(previousWorldRecord),
		WorldRecord: record.WorldRecord{
			ID: orZero(worldRecord), FinishTime: orZero(finishTime), Since: orZero(since).UTC(), Player: record.Player{
				ID: orZero(holder), Name: orZero(name), SkinImageURL: orZero(skinImageURL), SkinColor: orZero(skinColor),
			},
		},
	}, nil
}
