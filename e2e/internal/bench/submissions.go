package bench

import (
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

// submitter submits records of one writer on the writer's map.
type submitter struct {
	visitor *site.Visitor
	number  int
}

// newSubmitters logs the writers in.
func newSubmitters(ctx context.Context, s *site.Site) ([]submitter, error) {
	var all []submitter
	for i, player := range writers.Players {
		visitor := s.Visitor()
		if _, err := visitor.Login(ctx, player.Account); err != nil {
			return nil, err
		}
		all = append(all, submitter{visitor, i})
	}
	return all, nil
}

var submitted atomic.Int64

// submit submits a record with a time and a moment that no other one has.
func (s submitter) submit(ctx context.Context) error {
	n := int(submitted.Add(1))
	replay := writers.Replay(world.Record{
		Player: s.number, Map: s.number,
		Time: racetime.Snap(writers.Maps[s.number].Course.Par*2 + n%20_000),
		At:   time.Now().Add(-time.Hour + time.Duration(n)*time.Millisecond).Truncate(time.Millisecond),
	})
	_, err := s.visitor.SubmitRecord(ctx, site.RecordSubmission{Replay: replay})
	return err
}

// submissions returns a measure of all writers, who submit one record after the other.
func submissions(all []submitter) measure {
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
