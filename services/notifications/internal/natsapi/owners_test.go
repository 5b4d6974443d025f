package natsapi_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
	"capzone.dev/services/notifications/internal/natsapi"
)

// The players and records of the requests.
const (
	firstID  = "0198c2f4-0000-7000-8000-00000000000a"
	secondID = "0198c2f4-0000-7000-8000-00000000000b"
	thirdID  = "0198c2f4-0000-7000-8000-00000000000c"
)

// playerIDs returns the ids of n players in their order.
func playerIDs(n int) []string {
	var ids []string
	for i := range n {
		ids = append(ids, fmt.Sprintf("0198c2f4-0000-7000-8000-%012d", i))
	}
	return ids
}

func TestRecords_ListPlayers(t *testing.T) {
	t.Parallel()
	nc, _ := natstest.Start(t).Connect()
	const most = event.MaxRequestedPlayers
	players := map[string][]string{
		"none": nil, "few": playerIDs(3), "a full page": playerIDs(most), "one more": playerIDs(most + 1),
		"two full pages": playerIDs(2 * most),
	}
	asked := map[string][]string{} // after whom, by map
	listPlayers := func(_ context.Context, req event.ListPlayers) (event.ListedPlayers, error) {
		asked[req.MapID] = append(asked[req.MapID], req.After)
		all, ok := players[req.MapID]
		switch {
		case req.MapID == "failing":
			return event.ListedPlayers{}, eventbus.ErrUnavailable
		case !ok:
			return event.ListedPlayers{}, event.ErrMapUnknown
		}
		page := []string{}
		for _, id := range all {
			if id > req.After && len(page) < most {
				page = append(page, id)
			}
		}
		return event.ListedPlayers{PlayerIDs: page}, nil
	}
	natstest.Serve(t, nc, event.ListPlayersSubject, listPlayers)
	records := &natsapi.Records{NATS: nc}
	last, ofTwo := playerIDs(most)[most-1], playerIDs(2 * most)[2*most-1]
	for _, tt := range []struct {
		mapID string
		asked []string
		err   error
	}{
		{"none", []string{""}, nil},
		{"few", []string{""}, nil},
		{"a full page", []string{"", last}, nil},
		{"one more", []string{"", last}, nil},
		{"two full pages", []string{"", last, ofTwo}, nil},
		{"unknown", []string{""}, nil},
		{"failing", []string{""}, eventbus.ErrUnavailable},
	} {
		t.Run(tt.mapID, func(t *testing.T) {
			got, err := records.ListPlayers(t.Context(), tt.mapID)
			if diff := cmp.Diff(players[tt.mapID], got); diff != "" || !errors.Is(err, tt.err) {
				t.Errorf("%v, players (-want +got):\n%s", err, diff)
			}
			require.Equal(t, "asked for those after", tt.asked, asked[tt.mapID])
		})
	}
}

func TestRecords_FindPassed(t *testing.T) {
	t.Parallel()
	nc, _ := natstest.Start(t).Connect()
	passed := []event.MovedPlayer{{PlayerID: firstID, RecordID: thirdID, FinishTime: 42_000, From: 1, To: 2}}
	var asked []event.FindPassed
	findPassed := func(_ context.Context, req event.FindPassed) (event.PassedPlayers, error) {
		asked = append(asked, req)
		switch req.RecordID {
		case thirdID:
			return event.PassedPlayers{Passed: passed}, nil
		case "failing":
			return event.PassedPlayers{}, eventbus.ErrUnavailable
		}
		return event.PassedPlayers{}, problem.NotFound("record_unknown", "There is no such record.")
	}
	natstest.Serve(t, nc, event.FindPassedSubject, findPassed)
	records := &natsapi.Records{NATS: nc}
	var want []event.FindPassed
	for _, tt := range []struct {
		recordID string
		passed   []event.MovedPlayer
		err      error
	}{{thirdID, passed, nil}, {"unknown", nil, nil}, {"failing", nil, eventbus.ErrUnavailable}} {
		got, err := records.FindPassed(t.Context(), tt.recordID, []string{firstID, secondID})
		if diff := cmp.Diff(tt.passed, got); diff != "" || !errors.Is(err, tt.err) {
			t.Errorf("by record %q: %v, passed (-want +got):\n%s", tt.recordID, err, diff)
		}
		want = append(want, event.FindPassed{RecordID: tt.recordID, PlayerIDs: []string{firstID, secondID}})
	}
	require.Equal(t, "asked", want, asked)
}
