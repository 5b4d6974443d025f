package bench

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/httpget"
)

// pointsSQL makes a ranking of 100,000 players and maps with ten finishers, once.
//
//go:embed points.sql
var pointsSQL string

// points measures how fast points are computed, and pages of a ranking.
func (b *bench) points(ctx context.Context) error {
	database, err := b.running.Database("records")
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	began := time.Now()
	if _, err := b.running.Operate(ctx, "records", "rebuild"); err != nil {
		return err
	}
	took := time.Since(began)
	b.add("records rebuild of 1,510,000 records", took.Round(time.Second).String(), "", "< 5 minutes", 0,
		took < 5*time.Minute)
	if _, err := conn.Exec(ctx, pointsSQL); err != nil {
		return err
	}
	defer func() {
		const sql = "delete from rankings where mode = 'Simple'; delete from ranking_counts where mode = 'Simple'"
		_, _ = conn.Exec(context.WithoutCancel(ctx), sql)
	}()
	if err := b.pointsOfMaps(ctx, conn); err != nil {
		return err
	}
	service, err := b.serviceAddress("records")
	if err != nil {
		return err
	}
	const ranking = basePath + "/rankings?mode=Simple&limit=50&page="
	medians, err := b.compare(ctx, reads(service, 16, ranking+"500"), reads(service, 16, ranking+"1"))
	if err != nil {
		return err
	}
	slower := medians[1].rate / medians[0].rate
	b.add("a ranking of 100,000 players: page 500 beside page 1", rate(medians[0]), rate(medians[1]), "≤ 2 times",
		slower, slower <= 2)
	return nil
}

const (
	// slowestFirstSQL makes the slowest player of each map the fastest, which changes the points of all.
	slowestFirstSQL = `
		with slowest as (
			select distinct on (map_id) map_id, player_id from personal_bests
			where map_id in (select id from maps where %s) order by map_id, finish_time desc
		), changed as (
			update personal_bests b set finish_time = greatest(fastest - 1, 1)
			from slowest s join lateral (
				select min(finish_time) as fastest from personal_bests f where f.map_id = s.map_id
			) f on true
			where b.map_id = s.map_id and b.player_id = s.player_id
		)
		insert into points_changes (map_id) select map_id from slowest`
	waitingSQL = `select count(*) from points_changes`
)

// pointsOfMaps changes maps, and measures what the service needs to compute them with their players.
func (b *bench) pointsOfMaps(ctx context.Context, conn *pgx.Conn) error {
	for _, part := range []struct{ name, maps string }{
		{"with 10 finishers", "game_map_id > 1000000"},
		{"with 10,000 finishers", "game_map_id = 1"},
	} {
		if err := awaitComputed(ctx, conn); err != nil {
			return err
		}
		maps, seconds, err := b.pointsCounters(ctx)
		if err != nil {
			return err
		}
		for range b.rounds {
			if _, err := conn.Exec(ctx, fmt.Sprintf(slowestFirstSQL, part.maps)); err != nil {
				return err
			}
			if err := awaitComputed(ctx, conn); err != nil {
				return err
			}
		}
		mapsThen, secondsThen, err := b.pointsCounters(ctx)
		if err != nil {
			return err
		}
		if mapsThen == maps || secondsThen == seconds {
			return errors.New("no points were computed")
		}
		b.add("points of maps "+part.name+", and of their players",
			fmt.Sprintf("%.1f/s", (mapsThen-maps)/(secondsThen-seconds)), "", "shown", 0, true)
	}
	return nil
}

// awaitComputed waits until no change waits for its points.
func awaitComputed(ctx context.Context, conn *pgx.Conn) error {
	for {
		var waiting int
		if err := conn.QueryRow(ctx, waitingSQL).Scan(&waiting); err != nil || waiting == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// pointsCounters returns how many maps were computed, and in how many seconds.
func (b *bench) pointsCounters(ctx context.Context) (maps, seconds float64, err error) {
	for _, p := range b.running.Processes {
		if p.Kind != "records" {
			continue
		}
		text, err := httpget.Body(ctx, p.Ops+"/metrics")
		if err != nil {
			return 0, 0, err
		}
		for _, metric := range []struct {
			pattern string
			sum     *float64
		}{
			{`(?m)^records_points_computed_total\{what="maps"\} (\S+)`, &maps},
			{`(?m)^records_points_seconds_total (\S+)`, &seconds},
		} {
			found := regexp.MustCompile(metric.pattern).FindStringSubmatch(text)
			if found == nil {
				continue
			}
			value, err := strconv.ParseFloat(found[1], 64)
			if err != nil {
				return 0, 0, err
			}
			*metric.sum += value
		}
	}
	return maps, seconds, nil
}
