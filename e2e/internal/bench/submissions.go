package bench

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
	"capzone.dev/game/racetime"
)

// bareTables are like the tables of records and events, with all their indexes, and empty.
const bareTables = `
	drop schema if exists bench cascade;
	create schema bench;
	create table bench.records (like records including all);
	create table bench.outbox (like outbox including all)`

// bareTransaction is a script of pgbench.
//
//go:embed bare.sql
var bareTransaction string

// submitter submits records of one player, each with a time and a moment of its own.
type submitter struct {
	visitor *site.Visitor
	run     world.Run
	replay  []byte // with placeholders for the finish time and the time stamp
}

const stampLayout = "2006-01-02T15:04:05.000Z"

var (
	placeholderTime = racetime.Snap(59*60_000 + 58_000)
	placeholderAt   = time.Date(2001, 2, 3, 4, 5, 6, 789_000_000, time.UTC)
)

// newSubmitters logs the writers in and makes a replay for each.
func newSubmitters(ctx context.Context, s *site.Site) ([]*submitter, error) {
	var all []*submitter
	for i, player := range writers.Players {
		visitor := s.Visitor()
		if _, err := visitor.Login(ctx, player.Account); err != nil {
			return nil, err
		}
		run := world.Run{Player: i, Map: i, Time: placeholderTime, At: placeholderAt}
		all = append(all, &submitter{visitor, run, writers.Replay(run)})
	}
	return all, nil
}

var submitted atomic.Int64

func (s *submitter) submit(ctx context.Context) error {
	n := submitted.Add(1)
	replay := bytes.ReplaceAll(s.replay, []byte(racetime.Format(placeholderTime)),
		[]byte(racetime.Format(racetime.Snap(writers.Maps[s.run.Map].Course.Par*2+int(n%20_000)))))
	replay = bytes.ReplaceAll(replay, []byte(placeholderAt.Format(stampLayout)),
		[]byte(time.Now().UTC().Add(-time.Hour).Add(time.Duration(n)*time.Millisecond).Format(stampLayout)))
	_, err := s.visitor.SubmitRecord(ctx, site.RecordSubmission{Replay: replay})
	return err
}

// submissions returns a measure of all writers, who submit one record after the other.
func submissions(all []*submitter) measure {
	return func(ctx context.Context, length time.Duration) (result, error) {
		var (
			mu    sync.Mutex
			took  []time.Duration
			until = time.Now().Add(length)
		)
		group, ctx := errgroup.WithContext(ctx)
		for _, s := range all {
			group.Go(func() error {
				for time.Now().Before(until) {
					began := time.Now()
					if err := s.submit(ctx); err != nil {
						return fmt.Errorf("submit: %w", err)
					}
					mu.Lock()
					took = append(took, time.Since(began))
					mu.Unlock()
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return result{}, err
		}
		slices.Sort(took)
		return result{
			rate:   float64(len(took)) / length.Seconds(),
			median: took[len(took)/2], p99: took[len(took)*99/100],
		}, nil
	}
}
