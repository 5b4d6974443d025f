package reference

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/game/racetime"
)

// boards answers leaderboards in the plainest way that is quick: one statement,
// prepared, whose plan is made once; the standard library's JSON.
type boards struct{ pool *pgxpool.Pool }

func newBoards(ctx context.Context, database string) (*boards, error) {
	cfg, err := pgxpool.ParseConfig(database)
	if err != nil {
		return nil, err
	}
	cfg.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	return &boards{pool}, err
}

// PageSQL reads a page of a leaderboard with its total and all that is shown of
// its map and players: of the map $1, $2 rows from the row $3.
const PageSQL = `
	select m.name, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, t.players,
	       b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at,
	       p.name, nullif(p.skin_image_url, ''), nullif(p.skin_color, '')
	from maps m
	join map_totals t on t.map_id = m.id
	cross join lateral (
		select record_id, player_id, finish_time, finished_at, created_at from personal_bests
		where map_id = m.id order by finish_time, finished_at, record_id limit $2 offset $3
	) b
	join players p on p.id = b.player_id
	where m.id = $1
	order by b.finish_time, b.finished_at, b.record_id`

type player struct {
	ID           string  `json:"_id"`
	Name         string  `json:"name"`
	SkinImageURL *string `json:"skinImageUrl"`
	SkinColor    *string `json:"skinColor"`
}

type parkourMap struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

type row struct {
	ID              string     `json:"_id"`
	Player          player     `json:"player"`
	Map             parkourMap `json:"map"`
	FinishTime      int        `json:"finishTime"`
	FinishTimeStamp string     `json:"finishTimeStamp"`
	CreatedAt       string     `json:"createdAt"`
	UpdatedAt       string     `json:"updatedAt"`
	Medal           *string    `json:"medal"`
	Rank            int        `json:"rank"`
	PersonalBest    bool       `json:"personalBest"`
}

type page struct {
	Success    bool       `json:"success"`
	Data       []row      `json:"data"`
	Pagination pagination `json:"pagination"`
}

type pagination struct {
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
	Total  int `json:"total"`
}

func (b *boards) answer(c *gin.Context) {
	limit, err := strconv.Atoi(c.DefaultQuery("limit", "10"))
	offset, errOffset := strconv.Atoi(c.DefaultQuery("offset", "0"))
	if err = errors.Join(err, errOffset); err != nil {
		_ = c.AbortWithError(http.StatusBadRequest, err)
		return
	}
	answer, err := b.page(c.Request.Context(), c.Query("map"), limit, offset)
	if err != nil {
		_ = c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	c.JSON(http.StatusOK, answer)
}

func (b *boards) page(ctx context.Context, mapID string, limit, offset int) (page, error) {
	p := page{Success: true, Data: make([]row, 0, limit), Pagination: pagination{Limit: limit, Offset: offset}}
	rows, err := b.pool.Query(ctx, PageSQL, mapID, limit, offset)
	if err != nil {
		return p, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			medals         racetime.Medals
			stamp, created time.Time
			r              = row{Map: parkourMap{ID: mapID}, Rank: offset + len(p.Data) + 1, PersonalBest: true}
		)
		if err := rows.Scan(&r.Map.Name, &medals.Author, &medals.Gold, &medals.Silver, &medals.Bronze, &p.Pagination.Total,
			&r.ID, &r.Player.ID, &r.FinishTime, &stamp, &created, &r.Player.Name, &r.Player.SkinImageURL, &r.Player.SkinColor); err != nil {
			return p, err
		}
		if medal := string(medals.Of(r.FinishTime)); medal != "" {
			r.Medal = &medal
		}
		r.FinishTimeStamp, r.CreatedAt = timeText(stamp), timeText(created)
		r.UpdatedAt = r.CreatedAt
		p.Data = append(p.Data, r)
	}
	return p, rows.Err()
}

func timeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
