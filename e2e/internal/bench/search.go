package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"time"

	"capzone.dev/devstack/httpget"
	"capzone.dev/e2e/internal/community"
	"capzone.dev/e2e/internal/load"
)

const (
	// searchTerms is how many terms of a length are searched. Each is a script of pgbench.
	searchTerms = 32
	// tail is how many times the median the 99th percentile may be.
	tail = 8
)

// search measures searches by a part of a name, with the gateway's cache off,
// beside the services' own statements by pgbench.
func (b *bench) search(ctx context.Context) error {
	for _, in := range []struct {
		what, service, path string
		name                func(n int) string
		count               int
		lengths             []int
	}{
		{"map", "maps", api + "/maps/search?limit=12&sortBy=createdAt&sortDir=desc&name=", community.MapName, community.Maps, []int{1, 2, 3, 5}},
		{"player", "players", api + "/players/search?limit=12&sortBy=name&sortDir=asc&name=", community.PlayerName, community.Players, []int{1, 2, 3, 5}},
	} {
		database, err := b.running.Database(in.service)
		if err != nil {
			return err
		}
		log := statementLog{file: filepath.Join(b.dataDir, "postgres.log"), database: database}
		for _, length := range in.lengths {
			measure := fmt.Sprintf("%s search, %d letters, cold", in.what, length)
			b.say("  " + measure)
			var paths, scripts []string
			for _, term := range partsOfNames(in.name, in.count, length) {
				path := in.path + url.QueryEscape(term)
				script, err := log.script(ctx, term, func() error {
					_, err := httpget.Body(ctx, b.uncached+path)
					return err
				})
				if err != nil {
					return fmt.Errorf("search for %q: %w", term, err)
				}
				paths, scripts = append(paths, path), append(scripts, script)
			}
			medians, err := b.rounds.Compare(ctx,
				load.Side{Name: "system", Measure: load.Reads{Address: b.uncached, Paths: paths, Connections: 16}.Measure},
				load.Side{Name: "pgbench", Measure: load.Statements{URL: database, Connections: 16, Scripts: scripts}.Measure})
			if err != nil {
				return err
			}
			b.report.atLeast(measure, medians[0], medians[1], "pgbench", 0.4)
			b.report.atMost("– its 99th percentile", milliseconds(medians[0].P99), milliseconds(medians[0].Median)+" median",
				float64(medians[0].P99)/float64(medians[0].Median), tail, "")
		}
	}
	return nil
}

// partsOfNames are parts of so many letters of names by chance, as often as they occur.
func partsOfNames(name func(n int) string, count, length int) []string {
	r := rand.New(rand.NewPCG(6, uint64(length)))
	var terms []string
	for len(terms) < searchTerms {
		letters := []rune(name(r.IntN(count)))
		if len(letters) < length {
			continue
		}
		at := r.IntN(len(letters) - length + 1)
		term := letters[at : at+length]
		// A space at an end is no part of a term.
		if term[0] != ' ' && term[length-1] != ' ' {
			terms = append(terms, string(term))
		}
	}
	return terms
}

// statementTimeout is how long a statement may take to appear in the log.
const statementTimeout = 5 * time.Second
