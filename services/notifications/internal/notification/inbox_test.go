package notification_test

import (
	"testing"

	"capzone.dev/services/notifications/internal/notification"
)

// The link leads to something that exists, also after a removal.
func TestGroup_Link(t *testing.T) {
	t.Parallel()
	m, gone := &notification.Map{ID: mapID}, &notification.Map{ID: mapID, Removed: true}
	player, deleted := &notification.Player{ID: ann}, &notification.Player{ID: ann, Deleted: true}
	for _, tt := range []struct {
		name  string
		group notification.Group
		want  notification.Link
	}{
		{"a record", notification.Group{Kind: notification.RecordLost, Map: m, RecordID: "r"},
			notification.Link{Kind: notification.ToRecord, ID: "r"}},
		{"a record that is gone", notification.Group{Kind: notification.RecordLost, Map: m, RecordID: "r", RecordGone: true},
			notification.Link{Kind: notification.ToLeaderboard, ID: mapID}},
		{"a lost place", notification.Group{Kind: notification.Passed, Map: m, RecordID: "r"},
			notification.Link{Kind: notification.ToLeaderboard, ID: mapID}},
		{"a record on a map that is gone",
			notification.Group{Kind: notification.RecordLost, Map: gone, RecordID: "r", RecordGone: true}, notification.Link{}},
		{"a report of it", notification.Group{
			Kind: notification.ReportDecided, Map: gone, RecordID: "r", RecordGone: true, Player: player,
		}, notification.Link{Kind: notification.ToPlayer, ID: ann}},
		{"a report of a player", notification.Group{Kind: notification.ReportDecided, Player: player},
			notification.Link{Kind: notification.ToPlayer, ID: ann}},
		{"a report of a player whose account was deleted",
			notification.Group{Kind: notification.ReportDecided, Player: deleted}, notification.Link{}},
		{"a decision", notification.Group{
			Kind: notification.Moderated, Map: gone, RecordID: "r", RecordGone: true, DecisionID: "d",
		}, notification.Link{Kind: notification.ToDecision, ID: "d"}},
		{"a webhook", notification.Group{Kind: notification.WebhookOff}, notification.Link{Kind: notification.ToWebhooks}},
	} {
		if got := tt.group.Link(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
