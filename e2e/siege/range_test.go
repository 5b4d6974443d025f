package siege_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
)

// Each of many ranges of a file would cost the processor as much as an answer. Several are answered as one of all.
func TestRanges(t *testing.T) {
	const requests, ranges = 30, 4000
	owner, submission := author(t, 6)
	entry, err := owner.SubmitMap(t.Context(), submission)
	require.NoError(t, err)
	m := &invented.Maps[6]
	replay := invented.Replay(world.Record{Player: m.Submitter, Map: 6, Time: m.Time + 1000, At: m.At.Add(time.Hour)})
	submitted, err := owner.SubmitRecord(t.Context(), site.RecordSubmission{Replay: replay, Map: entry.ID})
	require.NoError(t, err)
	header := http.Header{"Range": {"bytes=" + strings.Repeat("0-0,", ranges-1) + "0-0"}}
	readWhile(t, patience, func(ctx context.Context) {
		attacker, began := newVisitor(), time.Now()
		for range requests {
			for _, r := range []site.Request{
				{Path: entry.ImageURL, AtRoot: true}, {Path: "/download/replays/" + submitted.Record.ID},
			} {
				r.Header = header
				if answer, err := attacker.Send(ctx, r); err != nil || answer.Status != http.StatusOK {
					t.Errorf("%d ranges of %s: %d, %v", ranges, r.Path, answer.Status, err)
				}
			}
		}
		t.Logf("%d requests for %d ranges took %s", 2*requests, ranges, time.Since(began))
		if took := time.Since(began); took > patience {
			t.Errorf("%d requests took %s, want at most %s", 2*requests, took, patience)
		}
	})
}
