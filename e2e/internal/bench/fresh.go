package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"capzone.dev/devstack/httpget"
	"capzone.dev/e2e/internal/community"
)

const (
	freshRuns = 100
	// freshWithin is how soon a run is shown by every other gateway.
	freshWithin = time.Second
	// recordTime is faster than everybody else, so that the run is on the first page.
	recordTime = 0.5
)

// fresh makes sure that a run is on the leaderboard at its writer's next read
// through the same gateway, and within a second through another one, both of
// which had the page in their caches.
func (b *bench) fresh(ctx context.Context) error {
	other, stop, err := b.running.Beside(ctx, nil, generous)
	if err != nil {
		return err
	}
	defer stop()
	w, err := newWriters(b.running.Stack, b.gateway(), newcomer(), writerCount)
	if err != nil {
		return err
	}
	atOnce, inTime, late := 0, 0, []time.Duration{}
	for i := range freshRuns {
		writer := i % writerCount
		course := community.FirstCourse + (w.all[writer].turn+1)%community.Courses
		page := board(course, 0, 100)
		for _, gateway := range []string{b.gateway(), other} {
			if _, err := httpget.Body(ctx, gateway+page); err != nil {
				return err
			}
		}
		run, err := w.submit(ctx, writer, recordTime)
		if err != nil {
			return err
		}
		if !run.PersonalBest {
			return fmt.Errorf("the run %s of a newcomer is not their best", run.Record.ID)
		}
		began := time.Now()
		shown, err := shows(ctx, b.gateway()+page, run)
		if err != nil {
			return err
		}
		if shown {
			atOnce++
		}
		for shown = false; !shown && time.Since(began) < 5*freshWithin; {
			if shown, err = shows(ctx, other+page, run); err != nil {
				return err
			}
		}
		took := time.Since(began)
		late = append(late, took)
		if shown && took <= freshWithin {
			inTime++
		}
	}
	slices.Sort(late)
	b.report.rows = append(b.report.rows,
		row{"a run at its writer's next read", fmt.Sprintf("%d of %d", atOnce, freshRuns), "", "", "all", atOnce == freshRuns},
		row{
			"a run through another gateway", fmt.Sprintf("%d of %d in time", inTime, freshRuns),
			milliseconds(late[len(late)-1]) + " at most", "", "all within 1 s", inTime == freshRuns,
		})
	return nil
}

// shows tells whether a page has a run, at its rank.
func shows(ctx context.Context, page string, run submitted) (bool, error) {
	body, err := httpget.Body(ctx, page)
	if err != nil {
		return false, err
	}
	var answer struct {
		Data []struct {
			ID   string `json:"_id"`
			Rank int    `json:"rank"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		return false, err
	}
	for _, row := range answer.Data {
		if row.ID == run.Record.ID {
			return row.Rank == run.Rank, nil
		}
	}
	return false, nil
}
