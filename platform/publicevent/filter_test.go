package publicevent

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/event"
)

func TestParseTypes(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{nil, {"record"}, {"worldRecord", "map"}, {"record", "worldRecord", "map", "player"}} {
		types, err := ParseTypes(names...)
		if diff := cmp.Diff(names, types.Names()); diff != "" || err != nil {
			t.Errorf("%q (-want +got): %v\n%s", names, err, diff)
		}
	}
	if types, err := ParseTypes("record", "bans"); err == nil {
		t.Errorf("an unknown type is %q", types.Names())
	}
}

func TestFilter_Selects(t *testing.T) {
	t.Parallel()
	record := event.RecordSubmitted{
		RecordID: id(1), MapID: id(2), PlayerID: id(3), Mode: "Grapple",
		Overtook:            []event.MovedPlayer{{PlayerID: id(4)}},
		PreviousWorldRecord: &event.WorldRecord{PlayerID: id(5)},
	}
	worldRecord := record
	worldRecord.WorldRecord = true
	events := map[string]*Event{
		"record":       translated(t, record),
		"world record": translated(t, worldRecord),
		"removed":      translated(t, event.RecordRemoved{MapID: id(2), PlayerID: id(3)}),
		"hidden":       translated(t, event.RecordsHidden{PlayerID: id(3)}),
		"map":          translated(t, event.MapCreated{MapID: id(2), SubmittedByID: id(3)}),
		"registered":   translated(t, event.PlayerRegistered{PlayerID: id(3)}),
		"merged":       translated(t, event.PlayerMerged{PlayerID: id(3), IntoID: id(6)}),
		"inbox":        translated(t, event.NotificationsAdded{PlayerIDs: []string{id(9), id(8), id(7)}, Kind: "k"}),
	}
	type names = []string
	for _, tt := range []struct {
		name   string
		filter Filter
		want   names
	}{
		{"all", Filter{Types: AllTypes},
			names{"record", "world record", "removed", "hidden", "map", "registered", "merged"}},
		{"records", Filter{Types: TypeRecord}, names{"record", "world record", "removed", "hidden"}},
		{"world records", Filter{Types: TypeWorldRecord}, names{"world record", "removed", "hidden"}},
		{"maps", Filter{Types: TypeMap}, names{"map"}},
		{"players", Filter{Types: TypePlayer}, names{"registered", "merged"}},
		{"two types", Filter{Types: TypeMap | TypeWorldRecord}, names{"world record", "removed", "hidden", "map"}},
		{"a map", Filter{Types: AllTypes, MapID: id(2)}, names{"record", "world record", "removed", "map"}},
		{"another map", Filter{Types: AllTypes, MapID: id(3)}, nil},
		{"a player", Filter{Types: AllTypes, PlayerID: id(3)},
			names{"record", "world record", "removed", "hidden", "registered", "merged"}},
		{"an overtaken player", Filter{Types: AllTypes, PlayerID: id(4)}, names{"record", "world record"}},
		{"who had the world record", Filter{Types: AllTypes, PlayerID: id(5)}, names{"record", "world record"}},
		{"who a player was merged into", Filter{Types: AllTypes, PlayerID: id(6)}, names{"merged"}},
		{"a mode", Filter{Types: AllTypes, Mode: "Grapple"}, names{"record", "world record"}},
		{"another mode", Filter{Types: AllTypes, Mode: "Classic"}, nil},
		{"world records of a mode", Filter{Types: TypeWorldRecord, Mode: "Grapple"}, names{"world record"}},
		{"a receiver's own events, whatever else is selected", Filter{Types: TypeMap, MapID: id(1), ReceiverID: id(8)},
			names{"inbox"}},
		{"who is no receiver", Filter{Types: AllTypes, MapID: id(1), PlayerID: id(8), ReceiverID: id(6)}, nil},
	} {
		var got names
		for _, name := range []string{
			"record", "world record", "removed", "hidden", "map", "registered", "merged", "inbox",
		} {
			if tt.filter.Selects(events[name]) {
				got = append(got, name)
			}
		}
		assert.Equal(t, tt.name, tt.want, got)
	}
}
