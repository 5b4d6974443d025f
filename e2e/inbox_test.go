package e2e_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestInbox_lost_world_record(t *testing.T) {
	t.Parallel()
	m, entry, author := submitted(t)
	awaitRecord(t, entry.ID)
	holder, taker := newPlayer(t), newPlayer(t)
	finished(t, holder, m, 39_000)
	byHolder := group{api.RecordLost, entry.Name, []string{holder.Player.Name}, 1, false, false}
	awaitInbox(t, author, []group{byHolder})

	taken := finished(t, taker, m, 38_000)
	lost := group{api.RecordLost, entry.Name, []string{taker.Player.Name}, 1, false, false}
	awaitInbox(t, holder, []group{lost})
	wantUnread(t, holder, 1)
	// The author was passed by both.
	awaitInbox(t, author, []group{
		{api.Passed, entry.Name, []string{taker.Player.Name}, 1, false, false},
		byHolder,
	})

	operate(t, "records", "remove", taken.Record.ID, "A test.")
	lost.RemovedSince = true
	regained := group{api.RecordRegained, entry.Name, nil, 1, false, false}
	awaitInbox(t, holder, []group{regained, lost})
	operate(t, "records", "restore", taken.Record.ID, "It was one.")
	lost.RemovedSince, regained.RemovedSince = false, true
	awaitInbox(t, holder, []group{lost, regained}) // lost again, and told again

	readInbox(t, holder, `{"through": "`+newest(t, holder)+`"}`)
	wantUnread(t, holder, 0)
	lost.Read, regained.Read = true, true
	awaitInbox(t, holder, []group{lost, regained})
}

// awaitRecord waits for the first record of a map, which is its author's.
func awaitRecord(t *testing.T, mapID string) {
	t.Helper()
	eventually.WaitFor(t, "the author's record", func() bool {
		page, err := newVisitor().Leaderboard(t.Context(), mapID, 0, 1)
		return err == nil && page.Pagination.Total == 1
	})
}

// awaitInbox waits until a player's inbox is as wanted.
func awaitInbox(t *testing.T, player *site.Visitor, want []group) {
	t.Helper()
	var got []group
	if eventually.Poll(func() bool { got = inbox(t, player); return cmp.Equal(want, got) }) {
		return
	}
	t.Fatalf("inbox of %s (-want +got):\n%s", player.Player.Name, cmp.Diff(want, got))
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

// newest returns the id of the newest group of a player's inbox.
func newest(t *testing.T, player *site.Visitor) string {
	t.Helper()
	return inboxPage(t, player).Data[0].ID
}

func wantUnread(t *testing.T, player *site.Visitor, want int) {
	t.Helper()
	var count api.InboxCountAnswer
	decode(t, ask(t, player, site.Request{Path: "/inbox/count"}), &count)
	if count.Data.Unread != want {
		t.Errorf("%d groups are unread, want %d", count.Data.Unread, want)
	}
}

func readInbox(t *testing.T, player *site.Visitor, body string) {
	t.Helper()
	answer := ask(t, player, site.Request{
		Method: http.MethodPost, Path: "/inbox/read", Body: strings.NewReader(body),
		Header: http.Header{"Content-Type": {"application/json"}},
	})
	if answer.Status != http.StatusOK {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
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
