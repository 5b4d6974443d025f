package cache

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
)

func TestKeysOf(t *testing.T) {
	t.Parallel()
	type keys = []httpserve.SurrogateKey
	for _, tt := range []struct {
		event interface{ Subject() string }
		want  keys
	}{
		{event.PlayerState{ID: "P"}, keys{"player:p", "players", "maps-by-author", "stats"}},
		{event.PlayerState{ID: "p", Removed: true, MergedInto: "q"}, keys{"*"}},
		{event.MapState{ID: "m", AuthorID: "a", SubmittedByID: "s"}, keys{"map:m", "player:a", "player:s", "maps", "stats"}},
		{event.MapState{ID: "m", AuthorID: "a", SubmittedByID: "s", Superseded: true},
			keys{"map:m", "player:a", "player:s", "maps", "stats"}},
		{event.MapState{ID: "m", Removed: true}, keys{"*"}},
		{event.MapStats{MapID: "m"}, keys{"map:m", "maps-by-records"}},
		{event.MapStats{MapID: "m", WorldRecord: &event.WorldRecord{RecordID: "r", PlayerID: "p"}},
			keys{"map:m", "maps-by-records"}},
		{event.PlayerStats{PlayerID: "p"}, keys{"player:p"}},
		{event.RecordSubmitted{MapID: "m", PlayerID: "p"}, keys{"map:m", "player:p", "records", "stats"}},
		{event.RecordRemoved{MapID: "m", PlayerID: "p"}, keys{"map:m", "player:p", "records", "stats"}},
		{event.RecordRestored{MapID: "m", PlayerID: "p"}, keys{"map:m", "player:p", "records", "stats"}},
		{event.RecordsHidden{PlayerID: "p"}, keys{"*"}},
		{event.RecordsShown{PlayerID: "p"}, keys{"*"}},
		{event.MapReassigned{MapID: "m", OldAuthorID: "a", NewAuthorID: "b"}, keys{"map:m", "player:a", "player:b", "maps"}},
		{event.MapRemoved{MapID: "m"}, keys{"*"}},
		{event.MapRestored{MapID: "m"}, keys{"*"}},
		{event.PlayerMerged{PlayerID: "p", IntoID: "q"}, keys{"*"}},
		// Their state event has the same content.
		{event.MapCreated{MapID: "m"}, nil},
		{event.MapUpdated{MapID: "m"}, nil},
		{event.MapEdited{MapID: "m"}, nil},
		{event.MapUnranked{MapID: "m"}, nil},
		{event.MapRanked{MapID: "m"}, nil},
		{event.PlayerRegistered{PlayerID: "p"}, nil},
		{event.PlayerBanned{PlayerID: "p"}, nil},
		{event.PlayerUnbanned{PlayerID: "p"}, nil},
	} {
		payload, err := json.Marshal(tt.event)
		require.NoError(t, err)
		data, err := json.Marshal(event.Envelope{ID: "1", Data: payload})
		require.NoError(t, err)
		got, err := keysOf(tt.event.Subject(), data)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.event.Subject(), err, diff)
		}
	}
	if _, err := keysOf(event.MapCreatedSubject, nil); err != nil {
		t.Errorf("an event that changes no response is read: %v", err)
	}
	if _, err := keysOf(event.MapStatePrefix+"m", []byte("{")); err == nil {
		t.Error("an event that cannot be read has keys")
	}
}
