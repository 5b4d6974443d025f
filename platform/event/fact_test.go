package event_test

import (
	"testing"

	"capzone.dev/platform/event"
)

func TestFacts_Validate(t *testing.T) {
	t.Parallel()
	const id, none = "0198c2f4-0000-7000-8000-00000000000a", "{0198c2f4-0000-7000-8000-00000000000a}"
	validRecord := event.WorldRecord{RecordID: id, PlayerID: id}
	submitted := func(record, on, player string) event.RecordSubmitted {
		return event.RecordSubmitted{RecordID: record, MapID: on, PlayerID: player}
	}
	overtook, broke := submitted(id, id, id), submitted(id, id, id)
	overtook.Overtook = []event.MovedPlayer{{PlayerID: id}, {PlayerID: none}}
	broke.PreviousWorldRecord = &event.WorldRecord{PlayerID: none}
	removed := func(record, on, player string, again event.WorldRecord) event.RecordRemoved {
		return event.RecordRemoved{RecordID: record, MapID: on, PlayerID: player, WorldRecord: &again}
	}
	hidden := func(player, on string, again event.WorldRecord) event.RecordsHidden {
		return event.RecordsHidden{PlayerID: player, WorldRecords: []event.MapWorldRecord{{on, again}}}
	}
	for _, tt := range []struct {
		name  string
		fact  interface{ Validate() error }
		valid bool
	}{
		{"submitted", submitted(id, id, id), true},
		{"submitted without a record", submitted("", id, id), false},
		{"submitted on no map", submitted(id, none, id), false},
		{"submitted by nobody", submitted(id, id, none), false},
		{"submitted, overtook nobody", overtook, false},
		{"submitted, broke the record of nobody", broke, false},
		{"removed", removed(id, id, id, validRecord), true},
		{"removed of no world record", event.RecordRemoved{RecordID: id, MapID: id, PlayerID: id}, true},
		{"removed without a record", removed(none, id, id, validRecord), false},
		{"removed on no map", removed(id, "", id, validRecord), false},
		{"removed of nobody", removed(id, id, none, validRecord), false},
		{"removed for no record", removed(id, id, id, event.WorldRecord{RecordID: none, PlayerID: id}), false},
		{"removed for nobody", removed(id, id, id, event.WorldRecord{RecordID: id, PlayerID: none}), false},
		{"restored", event.RecordRestored(removed(id, id, id, validRecord)), true},
		{"restored without a record", event.RecordRestored(removed(none, id, id, validRecord)), false},
		{"hidden", hidden(id, id, validRecord), true},
		{"hidden without world records", event.RecordsHidden{PlayerID: id}, true},
		{"hidden nobody", hidden(none, id, validRecord), false},
		{"hidden on no map", hidden(id, none, validRecord), false},
		{"hidden for no record", hidden(id, id, event.WorldRecord{RecordID: none, PlayerID: id}), false},
		{"hidden for nobody", hidden(id, id, event.WorldRecord{RecordID: id}), false},
		{"shown", event.RecordsShown(hidden(id, id, validRecord)), true},
		{"shown nobody", event.RecordsShown(hidden(none, id, validRecord)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := tt.fact.Validate(); (err == nil) != tt.valid {
				t.Errorf("returned %v", err)
			}
		})
	}
}
