package bench

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
	"capzone.dev/game/racetime"
)

// bareTables are like the tables of records and events, with all their indexes, and empty. They are not vacuumed,
// because that would mostly happen while the system is measured.
const bareTables = `
	drop schema if exists bench cascade;
	create schema bench;
	create table bench.records (like records including all) with (autovacuum_enabled = off);
	create table bench.outbox (like outbox including all) with (autovacuum_enabled = off)`

// bareTransaction is a script of pgbench.
//
//go:embed bare.sql
var bareTransaction string

// submitter submits records of one writer on the writer's map.
type submitter struct {
	visitor *site.Visitor
	number  int
	// made is the number of replays, and finished when the last one ended.
	made     int
	finished time.Time
}

// newSubmitters logs the writers in. Each has played from some day of the last year on, another one in every run,
// because a player's finishes that overlap are flagged.
func newSubmitters(ctx context.Context, s *site.Site) ([]*submitter, error) {
	var all []*submitter
	for i, player := range writers.Players {
		visitor := s.Visitor()
		if _, err := visitor.Login(ctx, player.Account); err != nil {
			return nil, err
		}
		began := time.Now().AddDate(0, 0, -30-rand.IntN(330)).Truncate(time.Millisecond)
		all = append(all, &submitter{visitor: visitor, number: i, finished: began})
	}
	return all, nil
}

// replay makes a replay that begins after the last one has ended.
func (s *submitter) replay() []byte {
	s.made++
	finish := racetime.Snap(writers.Maps[s.number].Course.Par*2 + s.made%20_000)
	s.finished = s.finished.Add(time.Duration(finish)*time.Millisecond + 2*time.Second)
	return writers.Replay(world.Record{Player: s.number, Map: s.number, Time: finish, At: s.finished})
}

// submissionsPerSecond is how many replays are made for each writer and second of a measurement: more than are
// submitted.
const submissionsPerSecond = 60

// submissions returns a measure of all writers, who submit one record after the other for a while. Their replays are
// made before.
func submissions(all []*submitter) measure {
	return func(ctx context.Context, length time.Duration) (result, error) {
		replays := make([][][]byte, len(all))
		for i, s := range all {
			for range submissionsPerSecond * int(length.Seconds()) {
				replays[i] = append(replays[i], s.replay())
			}
		}
		times := make([][]time.Duration, len(all))
		group, ctx := errgroup.WithContext(ctx)
		began := time.Now()
		for i, s := range all {
			group.Go(func() error {
				for _, replay := range replays[i] {
					sent := time.Now()
					if sent.Sub(began) >= length {
						return nil
					}
					if _, err := s.visitor.SubmitRecord(ctx, site.RecordSubmission{Replay: replay}); err != nil {
						return fmt.Errorf("submit: %w", err)
					}
					times[i] = append(times[i], time.Since(sent))
				}
				return fmt.Errorf("%d replays for a writer are too few", len(replays[i]))
			})
		}
		if err := group.Wait(); err != nil {
			return result{}, err
		}
		took := slices.Sorted(slices.Values(slices.Concat(times...)))
		return result{
			rate:   float64(len(took)) / time.Since(began).Seconds(),
			median: took[len(took)/2], p99: took[len(took)*99/100],
		}, nil
	}
}
