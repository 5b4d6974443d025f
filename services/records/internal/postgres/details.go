package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// detailsSQL compares a record with the active records that were accepted before it, and with the
// map's world record now, at one moment.
const detailsSQL = `
	select ` + rankedColumns + `,
		coalesce(r.rank_at_submission, 0),
		coalesce((
			select min(b.finish_time) from records b
			where b.map_id = r.map_id and b.player_id = r.player_id and b.removed_at is null and b.seq < r.seq
		), 0),
		coalesce((
			select min(b.finish_time) from world_records b where b.map_id = r.map_id and b.seq < r.seq
		), 0),
		coalesce(m.map_version, 0), coalesce(m.superseded, false),
		coalesce(m.picture_bucket, ''), coalesce(m.picture_key, ''),
		coalesce(w.record_id::text, ''), coalesce(w.finish_time, 0), coalesce(w.since, 'epoch'),
		coalesce(w.player_id::text, ''), coalesce(o.name, ''), coalesce(o.skin_image_url, ''), coalesce(o.skin_color, ''),
		coalesce(a.record_id::text, ''), coalesce(a.finish_time, 0),
		coalesce(a.player_id::text, ''), coalesce(n.name, ''), coalesce(n.skin_image_url, ''), coalesce(n.skin_color, '')
	from records r ` + rankedJoins + `
		left join players o on o.id = w.player_id
		left join lateral (
			select b.record_id, b.finish_time, b.player_id
			from personal_bests b
			where b.map_id = r.map_id
				and (b.finish_time, b.finished_at, b.record_id) < (own.finish_time, own.finished_at, own.record_id)
			order by b.finish_time desc, b.finished_at desc, b.record_id desc
			limit 1
		) a on true
		left join players n on n.id = a.player_id
	where r.id = @id and ` + isActive

// Details implements leaderboard.Queries. What is said of the world record is empty for a map without one, and
// what is said of the row above for a record without one.
func (s *Store) Details(ctx context.Context, id string) (leaderboard.Details, error) {
	var d leaderboard.Details
	w, a := &d.WorldRecord, &d.Above
	err := s.db.QueryRow(ctx, detailsSQL, pgx.NamedArgs{"id": id}).Scan(append(rankedTargets(&d.RankedRecord),
		&d.RankAtSubmission, &d.PreviousBest, &d.PreviousWorldRecord,
		&d.Map.MapVersion, &d.Map.Superseded, &d.Map.Picture.Bucket, &d.Map.Picture.Key,
		&w.ID, &w.FinishTime, &w.Since, &w.Player.ID, &w.Player.Name, &w.Player.SkinImageURL, &w.Player.SkinColor,
		&a.ID, &a.FinishTime, &a.Player.ID, &a.Player.Name, &a.Player.SkinImageURL, &a.Player.SkinColor)...)
	return d, postgres.ReadError(err, record.ErrRecordUnknown, "record %s", id)
}
