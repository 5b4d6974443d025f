package chaos

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/platform/event"
)

// verifyNotifications checks that each player was told of each record once, and that the players' inboxes count that.
func verifyNotifications(t *testing.T, databases map[string]*pgx.Conn) {
	t.Helper()
	want := wantedNotifications(t, databases)
	var told []string
	settled := func() bool {
		told = rows(t, databases["notifications"],
			"select concat_ws(' ', receiver_id, kind, map_id, cause_id) from notifications")
		return slices.Equal(want, told)
	}
	if !soon(t, settled) {
		t.Errorf("notifications (-wanted +stored):\n%s", cmp.Diff(want, told))
	}
	groups := map[string]int{} // by receiver
	before := ""
	for _, row := range want {
		group := row[:strings.LastIndex(row, " ")] // without the cause
		if group != before {
			receiver, _, _ := strings.Cut(row, " ")
			groups[receiver]++
		}
		before = group
	}
	for _, p := range users.players {
		answer, err := p.Send(t.Context(), site.Request{Path: "/inbox/count"})
		require.NoError(t, err)
		var count api.InboxCountAnswer
		if err := json.Unmarshal(answer.Body, &count); err != nil || count.Data.Unread != groups[p.Player.ID] {
			t.Errorf("the inbox of %s has %d unread groups, want %d: %s", p.Player.Name, count.Data.Unread,
				groups[p.Player.ID], answer.Body)
		}
	}
	t.Logf("players were told of records %d times", len(want))
}

// wantedNotifications returns the receiver, kind and record of each notification, by the facts of the records service.
// No player of the tests follows anything or has changed a setting.
func wantedNotifications(t *testing.T, databases map[string]*pgx.Conn) (wanted []string) {
	t.Helper()
	authors := map[string]string{} // by map
	for _, row := range rows(t, databases["maps"], "select concat_ws(' ', id, author_id) from maps") {
		authors[row[:36]] = strings.TrimSpace(row[36:])
	}
	for _, row := range rows(t, databases["records"],
		"select convert_from(body, 'UTF8') from outbox where subject = '"+event.RecordSubmittedSubject+"'") {
		var envelope event.Envelope
		require.NoError(t, json.Unmarshal([]byte(row), &envelope))
		fact, err := event.Decode[event.RecordSubmitted](envelope)
		require.NoError(t, err)
		if !fact.PersonalBest {
			continue
		}
		told := map[string]bool{"": true, fact.PlayerID: true}
		tell := func(receiver, kind string) {
			if !told[receiver] {
				told[receiver] = true
				wanted = append(wanted, strings.Join([]string{receiver, kind, fact.MapID, fact.RecordID}, " "))
			}
		}
		if lost := fact.PreviousWorldRecord; lost != nil {
			tell(lost.PlayerID, "record_lost")
		}
		for _, moved := range fact.Overtook {
			tell(moved.PlayerID, "passed")
		}
		tell(authors[fact.MapID], "record_on_my_map")
	}
	slices.Sort(wanted)
	return wanted
}
