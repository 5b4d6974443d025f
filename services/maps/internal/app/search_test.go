package app_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/httpapi"
)

func TestAPI_search_by_progress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann := b.Players.player("Ann")
	var ids event.IDs
	for i, name := range []string{"one", "two", "three"} {
		m := b.submitted(b.submissionOf(ann, 1000+i, name, "Ann"))
		var err error
		ids, err = ids.Append(m.UnderscoreId)
		require.NoError(t, err)
	}
	one, two := ids[:16], ids[16:32]
	token := "Bearer " + b.keys.Token(ann)
	const path = "/api/v1/maps/search?"

	for query, tt := range map[string]struct {
		asked event.FindPlayed
		found event.IDs
		want  []string
	}{
		"progress=played":   {event.FindPlayed{Filter: event.Played}, one, []string{"one"}},
		"progress=unplayed": {event.FindPlayed{Filter: event.Played}, one, []string{"three", "two"}},
		"progress=belowGold&sortBy=toNextMedal": {
			event.FindPlayed{Filter: event.BelowGold, Order: event.ByNextMedal}, append(two[:16:16], one...),
			[]string{"two", "one"},
		},
		"sortBy=myRank&sortDir=desc": {
			event.FindPlayed{Order: event.ByRank, Descending: true}, append(two[:16:16], one...), []string{"two", "one"},
		},
		"progress=near": {event.FindPlayed{Filter: event.Near}, nil, []string{}},
	} {
		t.Run(query, func(t *testing.T) {
			tt.asked.PlayerID = ann.ID
			b.Players.answerPlayed(func(q event.FindPlayed) (event.PlayedMaps, error) {
				assert.Equal(t, "request", tt.asked, q)
				return event.PlayedMaps{MapIDs: tt.found}, nil
			})
			a := b.get(path+query, "Authorization", token)
			names := []string{}
			for _, m := range servicetest.Data[[]httpapi.ParkourMap](t, a) {
				names = append(names, m.Name)
			}
			if diff := cmp.Diff(tt.want, names); diff != "" || a.Pagination["total"] != float64(len(tt.want)) {
				t.Errorf("%d of %v, names (-want +got):\n%s", a.Status, a.Pagination, diff)
			}
			assert.Equal(t, "Cache-Control", "private, no-cache", a.Header.Get("Cache-Control"))
			assert.Equal(t, "Surrogate-Key", "", a.Header.Get("Surrogate-Key")) // the gateway stores it not
			if a := b.get(path + query); a.Status != http.StatusUnauthorized || a.Code != "token_missing" {
				t.Errorf("without a token: %d %s", a.Status, a.Raw)
			}
		})
	}
	for query, code := range map[string]string{
		"progress=belowSilver": "progress_unknown", "progress=played&sortBy=toGold": "sort_unknown",
	} {
		if a := b.get(path+query, "Authorization", token); a.Status != http.StatusBadRequest || a.Code != code {
			t.Errorf("%s: %d %s", query, a.Status, a.Raw)
		}
	}
	if a := b.get(path + "progress="); a.Status != http.StatusOK || a.Header.Get("Surrogate-Key") == "" {
		t.Errorf("without a value: %d %v", a.Status, a.Header)
	}
	for _, tt := range []struct {
		answer event.PlayedMaps
		err    error
		status int
	}{
		{event.PlayedMaps{MapIDs: one[:15]}, nil, http.StatusInternalServerError}, // these are no ids
		{event.PlayedMaps{}, event.ErrPlayerUnknown, http.StatusNotFound},
	} {
		b.Players.answerPlayed(func(event.FindPlayed) (event.PlayedMaps, error) { return tt.answer, tt.err })
		if a := b.get(path+"progress=played", "Authorization", token); a.Status != tt.status {
			t.Errorf("got %d %s, want %d", a.Status, a.Raw, tt.status)
		}
	}
	t.Run("without the records service", func(t *testing.T) {
		b.Players.Leave()
		require.NoError(t, b.NATS.Flush())
		a := b.get(path+"progress=unplayed", "Authorization", token)
		if a.Status != http.StatusServiceUnavailable || a.Code != "progress_unavailable" ||
			a.Header.Get("Retry-After") == "" {
			t.Errorf("got %d %s", a.Status, a.Raw)
		}
		if a := b.get(path); a.Status != http.StatusOK {
			t.Errorf("another search: %d %s", a.Status, a.Raw)
		}
	})
}
