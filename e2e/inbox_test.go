package e2e_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// group is what the tests compare of a group of an inbox.
type group struct {
	Kind         api.NotificationKind
	Map          string
	Actors       []string
	Count        int
	Read         bool
	RemovedSince bool
}

// awaitRecord waits for the first record of a map, which is its author's.
func awaitRecord(t *testing.T, mapID string) {
	t.Helper()
	eventually.WaitFor(t, "the author's record", func() bool {
		page, err := newVisitor().Leaderboard(t.Context(), mapID, 0, 1)
		return err == nil && page.Pagination.Total == 1
	})
}

func inbox(t *testing.T, player *site.Visitor) []group {
	t.Helper()
	var groups []group
	for _, g := range inboxPage(t, player).Data {
		found := group{Kind: g.Kind, Count: g.Count, Read: g.Read, RemovedSince: g.RemovedSince}
		if g.Map != nil {
			found.Map = g.Map.Name
		}
		for _, actor := range g.Actors {
			found.Actors = append(found.Actors, actor.Name)
		}
		groups = append(groups, found)
	}
	return groups
}

func inboxPage(t *testing.T, player *site.Visitor) (page api.InboxPage) {
	t.Helper()
	decode(t, ask(t, player, site.Request{Path: "/inbox"}), &page)
	return page
}

func ask(t *testing.T, player *site.Visitor, r site.Request) site.Answer {
	t.Helper()
	answer, err := player.Send(context.WithoutCancel(t.Context()), r)
	require.NoError(t, err)
	return answer
}

func decode(t *testing.T, answer site.Answer, into any) {
	t.Helper()
	if answer.Status != http.StatusOK {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	require.NoError(t, json.Unmarshal(answer.Body, into))
}
