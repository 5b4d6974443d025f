package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"

	"capzone.dev/devstack/httpget"
	"capzone.dev/e2e/internal/community"
	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/internal/reference"
)

const api = "/api/v1"

// board is the address of a part of a leaderboard, as the site's page asks for it.
func board(mapNumber, offset, limit int) string {
	return fmt.Sprintf(api+"/records?map=%s&limit=%d&offset=%d&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc",
		community.MapID(mapNumber), limit, offset)
}

// connections are at how many most reads are measured.
var connections = []int{16, 64}

// hot measures pages that everybody asks for, beside a handler that has their bytes at hand.
func (b *bench) hot(ctx context.Context) error {
	for _, page := range []struct {
		name  string
		paths map[string]string // by route
	}{
		{"leaderboard, page 1", map[string]string{"/records": board(community.Big, 0, 10)}},
		{"home page's three calls", map[string]string{
			"/maps/search": api + "/maps/search?limit=4&sortBy=createdAt&sortDir=desc",
			"/stats":       api + "/stats",
			"/records":     api + "/records?limit=5&sortBy=updatedAt&sortDir=desc",
		}},
		{"map search", map[string]string{"/maps/search": api + "/maps/search?limit=12&name=run&page=1&sortBy=createdAt&sortDir=desc"}},
		{"player search", map[string]string{"/players/search": api + "/players/search?limit=12&name=fox&page=1&sortBy=name&sortDir=asc"}},
	} {
		b.say("  " + page.name)
		var paths []string
		constants := map[string]string{}
		for route, path := range page.paths {
			body, err := httpget.Body(ctx, b.gateway()+path)
			if err != nil {
				return err
			}
			constants[api+route] = body
			paths = append(paths, path)
		}
		constant, stop, err := reference.Start(ctx, reference.Config{Constants: constants})
		if err != nil {
			return err
		}
		err = b.eachConnections(func(n int) error {
			medians, err := b.rounds.Compare(ctx,
				load.Side{Name: "system", Measure: load.Reads{Address: b.gateway(), Paths: paths, Connections: n}.Measure},
				load.Side{Name: "reference", Measure: load.Reads{Address: constant, Paths: paths, Connections: n}.Measure})
			if err == nil {
				b.report.atLeast(fmt.Sprintf("%s, hot, %d connections", page.name, n), medians[0], medians[1], "gin constant", 0.5)
			}
			return err
		})
		stop()
		if err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
	}
	return nil
}

func (b *bench) eachConnections(measure func(n int) error) error {
	for _, n := range connections {
		if err := measure(n); err != nil {
			return err
		}
	}
	return nil
}

// cold measures leaderboards that nobody has asked for, beside gin and pgx
// without a gateway, and the same statement by pgbench.
func (b *bench) cold(ctx context.Context) error {
	database, err := b.running.Database("records")
	if err != nil {
		return err
	}
	plain, stop, err := reference.Start(ctx, reference.Config{Database: database})
	if err != nil {
		return err
	}
	defer stop()
	if err := sameAnswer(ctx, b.gateway(), plain, board(community.Big, 20, 10)); err != nil {
		return err
	}
	unasked := newStock()
	// Each measurement, and each warm-up, has as many for itself.
	share := len(unasked.paths) / len(connections) / (b.rounds.Count + 1)
	return b.eachConnections(func(n int) error {
		var chunk []string
		medians, err := b.rounds.Compare(ctx,
			load.Side{Name: "system", Measure: func(ctx context.Context, length time.Duration) (load.Result, error) {
				chunk = unasked.take(share)
				return load.Reads{Address: b.gateway(), Paths: chunk, Connections: n, Once: true}.Measure(ctx, length)
			}},
			load.Side{Name: "gin + pgx", Measure: func(ctx context.Context, length time.Duration) (load.Result, error) {
				return load.Reads{Address: plain, Paths: chunk, Connections: n}.Measure(ctx, length)
			}},
			load.Side{Name: "pgbench", Measure: load.Statements{URL: database, Connections: n, Scripts: []string{boardScript()}}.Measure})
		if err != nil {
			return err
		}
		b.report.atLeast(fmt.Sprintf("leaderboard of a random map, cold, %d connections", n), medians[0], medians[1], "gin + pgx", 0.5)
		b.report.beside("– beside the bare statement", medians[0], medians[2], "pgbench")
		return nil
	})
}

// stock holds the addresses of parts of leaderboards, in no order, each of which
// is given out once, so that no cache has it. They differ in map, offset and
// limit; on the average they have ten rows.
type stock struct{ paths []string }

const deepestCold = 200

func newStock() *stock {
	s := &stock{}
	for m := 1; m < community.Boards; m++ {
		for offset := range min(deepestCold, max(0, community.RunsOf(m)-11)) {
			for limit := 9; limit <= 11; limit++ {
				s.paths = append(s.paths, board(m, offset, limit))
			}
		}
	}
	r := rand.New(rand.NewPCG(4, 5))
	r.Shuffle(len(s.paths), func(i, j int) { s.paths[i], s.paths[j] = s.paths[j], s.paths[i] })
	return s
}

// take returns n paths, or as many as are left.
func (s *stock) take(n int) []string {
	n = min(n, len(s.paths))
	taken := s.paths[:n]
	s.paths = s.paths[n:]
	return taken
}

// boardScript asks for the first ten rows of a random leaderboard.
func boardScript() string {
	return fmt.Sprintf("\\set m random(1, %d)\n%s;\n", community.Boards-1,
		inline(reference.PageSQL, []string{community.MapIDSQL(":m::bigint"), "10", "0"}))
}

// growth compares a leaderboard of a million runs with one of ten thousand.
func (b *bench) growth(ctx context.Context) error {
	for _, read := range []struct {
		name  string
		paths func(mapNumber int) []string
	}{
		{"page 1", func(m int) []string { return []string{board(m, 0, 10)} }},
		{"page 500", func(m int) []string { return []string{board(m, 4990, 10)} }},
		{"a run's rank", func(m int) []string {
			var paths []string
			for i := range 1000 {
				paths = append(paths, api+"/records/"+community.RunID(m, i*7919%community.RunsOf(m)))
			}
			return paths
		}},
	} {
		medians, err := b.rounds.Compare(ctx,
			load.Side{Name: "a million", Measure: load.Reads{Address: b.uncached, Paths: read.paths(community.Giant), Connections: 16}.Measure},
			load.Side{Name: "ten thousand", Measure: load.Reads{Address: b.uncached, Paths: read.paths(community.Big), Connections: 16}.Measure})
		if err != nil {
			return fmt.Errorf("%s: %w", read.name, err)
		}
		b.report.atMost("growth, "+read.name+", 1,000,000 runs", rate(medians[0]), rate(medians[1])+" with 10,000",
			medians[1].Rate/medians[0].Rate, 1.5, "")
	}
	return nil
}

// sameAnswer makes sure that a reference answers what the system does.
func sameAnswer(ctx context.Context, system, reference, path string) error {
	ours, err := httpget.Body(ctx, system+path)
	theirs, errReference := httpget.Body(ctx, reference+path)
	if err := errors.Join(err, errReference); err != nil {
		return err
	}
	same, err := sameJSON(ours, theirs)
	if err == nil && !same {
		err = fmt.Errorf("the reference does not answer what the system does:\n%s\n%s", ours, theirs)
	}
	return err
}

// sameJSON tells whether two texts are the same JSON, in whatever order.
func sameJSON(a, b string) (bool, error) {
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		return false, err
	}
	return reflect.DeepEqual(x, y), nil
}
