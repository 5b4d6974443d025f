package bench

import (
	"context"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/e2e/api"
)

// startReference serves gin without any middleware until stop is called: the body or, without one, leaderboards from
// the database. This process does nothing else meanwhile.
func startReference(ctx context.Context, body []byte, database string) (address string, stop func(), err error) {
	pool, err := pgxpool.New(ctx, database)
	if err != nil {
		return "", nil, err
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.GET("/*path", func(c *gin.Context) {
		if len(body) > 0 {
			c.Data(http.StatusOK, "application/json; charset=utf-8", body)
			return
		}
		page, err := leaderboard(c.Request.Context(), pool, c.Query("map"))
		if err != nil {
			_ = c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.JSON(http.StatusOK, page)
	})
	server := httptest.NewServer(engine)
	return server.URL, func() { server.Close(); pool.Close() }, nil
}

// leaderboardSQL reads page 1 of a leaderboard with its total, its world record, and all that is shown of its map, its
// players and their points.
const leaderboardSQL = `
	select m.name, t.players, w.record_id, w.finish_time,
	       b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at,
	       p.name, nullif(p.skin_image_url, ''), nullif(p.skin_color, ''),
	       coalesce((select points from record_points where map_id = m.id and player_id = b.player_id), 0)
	from maps m
	join map_totals t on t.map_id = m.id
	cross join lateral (
		select record_id, finish_time from world_records where map_id = m.id order by finish_time limit 1
	) w
	cross join lateral (
		select record_id, player_id, finish_time, finished_at, created_at from personal_bests
		where map_id = m.id order by finish_time, finished_at, record_id limit 10
	) b
	join players p on p.id = b.player_id
	where m.id = $1
	order by b.finish_time, b.finished_at, b.record_id`

func leaderboard(ctx context.Context, pool *pgxpool.Pool, mapID string) (api.RecordPage, error) {
	page := api.RecordPage{Success: true, Pagination: api.RecordPagination{Limit: 10}}
	rows, err := pool.Query(ctx, leaderboardSQL, mapID)
	if err != nil {
		return page, err
	}
	var worldRecord api.ListedRecord
	page.Data, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (api.ListedRecord, error) {
		r := api.ListedRecord{Map: api.MapRef{ID: mapID}, PersonalBest: true}
		err := row.Scan(&r.Map.Name, &page.Pagination.Total, &worldRecord.ID, &worldRecord.FinishTime,
			&r.ID, &r.Player.ID, &r.FinishTime, &r.FinishTimeStamp, &r.CreatedAt,
			&r.Player.Name, &r.Player.SkinImageURL, &r.Player.SkinColor, &r.Points)
		r.Points /= 10 // the column has tenths
		r.UpdatedAt = r.CreatedAt
		return r, err
	})
	for i := range page.Data {
		r := &page.Data[i]
		r.Rank, r.Of = i+1, page.Pagination.Total
		r.IsWorldRecord = r.ID == worldRecord.ID
		r.EqualsWorldRecord = !r.IsWorldRecord && r.FinishTime == worldRecord.FinishTime
		if i > 0 {
			r.Gap = api.RecordGap{
				ToAbove: r.FinishTime - page.Data[i-1].FinishTime, ToFirst: r.FinishTime - worldRecord.FinishTime,
			}
		}
	}
	return page, err
}
