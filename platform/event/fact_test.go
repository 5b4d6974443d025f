package event_test

import (
	"math"
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
	const longest = math.MaxInt32
	timed := func(finishTime int64) event.RecordSubmitted {
		return event.RecordSubmitted{
			RecordID: id, MapID: id, PlayerID: id, FinishTime: finishTime,
			Overtook:            []event.MovedPlayer{{PlayerID: id, FinishTime: longest, From: longest, To: longest}},
			PreviousWorldRecord: &event.WorldRecord{PlayerID: id, FinishTime: longest},
		}
	}
	moved := func(m event.MovedPlayer) event.RecordSubmitted {
		m.PlayerID = id
		return event.RecordSubmitted{RecordID: id, MapID: id, PlayerID: id, Overtook: []event.MovedPlayer{m}}
	}
	brokeTime := submitted(id, id, id)
	brokeTime.PreviousWorldRecord = &event.WorldRecord{PlayerID: id, FinishTime: longest + 1}
	removedTime := func(finishTime, again int64) event.RecordRemoved {
		return event.RecordRemoved{
			RecordID: id, MapID: id, PlayerID: id, FinishTime: finishTime,
			WorldRecord: &event.WorldRecord{RecordID: id, PlayerID: id, FinishTime: again},
		}
	}
	hiddenTime := func(again int64) event.RecordsHidden {
		return event.RecordsHidden{PlayerID: id, WorldRecords: []event.MapWorldRecord{
			{id, event.WorldRecord{RecordID: id, PlayerID: id, FinishTime: again}},
		}}
	}
	cost := func(on, player, record string, points int64) event.PointsChanged {
		return event.PointsChanged{MapID: on, Changes: []event.PointsChange{
			{PlayerID: player, RecordID: record, Before: points, After: 0},
		}}
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
		{"submitted by no player", submitted(id, id, none), false},
		{"submitted, overtook no player", overtook, false},
		{"submitted, broke the record of no player", broke, false},
		{"submitted with the longest time", timed(longest), true},
		{"submitted with a negative time", timed(-1), false},
		{"submitted with a time that is too long", timed(longest + 1), false},
		{"submitted, overtook a negative time", moved(event.MovedPlayer{FinishTime: -1}), false},
		{"submitted, moved from a negative place", moved(event.MovedPlayer{From: -1}), false},
		{"submitted, moved to a place that is too high", moved(event.MovedPlayer{To: longest + 1}), false},
		{"submitted, broke a time that is too long", brokeTime, false},
		{"cost points", cost(id, id, id, longest), true},
		{"cost points on no map", cost(none, id, id, 1), false},
		{"cost points of no player", cost(id, none, id, 1), false},
		{"cost points by no record", cost(id, id, none, 1), false},
		{"cost too many points", cost(id, id, id, longest+1), false},
		{"removed", removed(id, id, id, validRecord), true},
		{"removed of no world record", event.RecordRemoved{RecordID: id, MapID: id, PlayerID: id}, true},
		{"removed without a record", removed(none, id, id, validRecord), false},
		{"removed on no map", removed(id, "", id, validRecord), false},
		{"removed of no player", removed(id, id, none, validRecord), false},
		{"removed for no record", removed(id, id, id, event.WorldRecord{RecordID: none, PlayerID: id}), false},
		{"removed for no player", removed(id, id, id, event.WorldRecord{RecordID: id, PlayerID: none}), false},
		{"removed with the longest time", removedTime(longest, longest), true},
		{"removed with a negative time", removedTime(-1, 0), false},
		{"removed with a time that is too long", removedTime(longest+1, 0), false},
		{"removed for a negative time", removedTime(0, -1), false},
		{"removed for a time that is too long", removedTime(0, longest+1), false},
		{"restored with a negative time", event.RecordRestored(removedTime(-1, 0)), false},
		{"restored", event.RecordRestored(removed(id, id, id, validRecord)), true},
		{"restored without a record", event.RecordRestored(removed(none, id, id, validRecord)), false},
		{"hidden", hidden(id, id, validRecord), true},
		{"hidden without world records", event.RecordsHidden{PlayerID: id}, true},
		{"hidden no player", hidden(none, id, validRecord), false},
		{"hidden on no map", hidden(id, none, validRecord), false},
		{"hidden for no record", hidden(id, id, event.WorldRecord{RecordID: none, PlayerID: id}), false},
		{"hidden for no player", hidden(id, id, event.WorldRecord{RecordID: id}), false},
		{"hidden with the longest time", hiddenTime(longest), true},
		{"hidden for a negative time", hiddenTime(-1), false},
		{"hidden for a time that is too long", hiddenTime(longest + 1), false},
		{"shown with a negative time", event.RecordsShown(hiddenTime(-1)), false},
		{"shown", event.RecordsShown(hidden(id, id, validRecord)), true},
		{"shown no player", event.RecordsShown(hidden(none, id, validRecord)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := tt.fact.Validate(); (err == nil) != tt.valid {
				t.Errorf("returned %v", err)
			}
		})
	}
}
