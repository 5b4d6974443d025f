package publicevent

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/facttest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
)

const (
	public  = true
	private = false
)

// attribution are the fields of who decided, and why.
var attribution = map[string]bool{
	"Attribution.Actor.Kind": private, "Attribution.Actor.ID": private, "Attribution.Actor.Name": private,
	"Attribution.Actor.Roles": private, "Attribution.Actor.TokenID": private, "Attribution.Actor.Scopes": private,
	"Attribution.Reason": private, "Attribution.PublicReason": private,
	"Attribution.DecisionID": private,
}

// fieldsOfFacts says of each field of each fact whether its value is sent to readers. The type of a public fact is
// public besides, and the players of NotificationsAdded get the event.
var fieldsOfFacts = map[string]map[string]bool{
	event.RecordSubmittedSubject: {
		"RecordID": public, "MapID": public, "PlayerID": public, "FinishTime": public, "PersonalBest": public,
		"FinishTimeStamp": public, "WorldRecord": public, "Mode": public, "Medal": public, "Rank": public, "At": public,
		"Overtook.PlayerID": public, "Overtook.From": public, "Overtook.To": public,
		"Overtook.RecordID": private, "Overtook.FinishTime": private,
		"PreviousWorldRecord.RecordID": public, "PreviousWorldRecord.PlayerID": public,
		"PreviousWorldRecord.FinishTime": public, "PreviousWorldRecord.At": private,
		"Inactive": public, // decides whether there is an event
	},
	event.RecordRemovedSubject:  recordChangeFields,
	event.RecordRestoredSubject: recordChangeFields,
	event.RecordsHiddenSubject:  visibilityFields,
	event.RecordsShownSubject:   visibilityFields,
	event.MapCreatedSubject:     submittedMapFields,
	event.MapUpdatedSubject:     submittedMapFields,
	event.MapRemovedSubject:     {"MapID": public, "Reason": private, "DecisionID": private},
	event.MapRestoredSubject:    {"MapID": public, "Reason": private, "DecisionID": private},
	event.MapEditedSubject: {
		"MapID": public, "EditID": private, "EditorID": private, "Undoes": private, "Reason": private,
	},
	event.MapUnrankedSubject: {"MapID": public, "Reason": private, "DecisionID": private},
	event.MapRankedSubject:   {"MapID": public, "Reason": private, "DecisionID": private},
	event.MapReassignedSubject: {
		"MapID": public, "OldAuthorID": private, "NewAuthorID": private, "Reason": private,
	},
	event.PlayerRegisteredSubject: {"PlayerID": public, "ClaimedPlaceholder": private},
	event.PlayerBannedSubject:     {"PlayerID": private, "Reason": private, "Until": private, "DecisionID": private},
	event.PlayerUnbannedSubject:   {"PlayerID": private, "Reason": private, "DecisionID": private},
	event.PlayerMergedSubject:     {"PlayerID": public, "IntoID": public, "Reason": private, "DecisionID": private},
	event.PlayerDeletedSubject:    {"PlayerID": public, "Name": public},
	event.CommandRefusedSubject: {
		"DecisionID": private, "Command": private, "TargetID": private, "Code": private, "Message": private,
	},
	event.AuditWrittenSubject: joined(attribution, map[string]bool{
		"Action": private, "TargetID": private, "Before": private, "After": private, "At": private,
	}),
	event.NotificationsAddedSubject: {"PlayerIDs": private, "Kind": public, "At": public},
	event.ModerationDecidedSubject: joined(decidedSubject, map[string]bool{
		"DecisionID": private, "PlayerID": private, "Kind": private, "PublicReason": private, "At": private,
	}),
	event.ReportClosedSubject: joined(decidedSubject, map[string]bool{
		"DecisionID": private, "ReporterIDs": private, "Kind": private, "PublicReason": private, "Confirmed": private,
		"At": private,
	}),
	event.PointsChangedSubject: {
		"MapID": private, "Changes.PlayerID": private, "Changes.RecordID": private, "Changes.Before": private,
		"Changes.After": private, "At": private,
	},
	event.RankingChangedSubject: {
		"Players.PlayerID": public, "Players.Before": public, "Players.After": public, "Players.Rank": public,
		"At": public,
	},
	event.AppealAnsweredSubject: joined(decidedSubject, map[string]bool{
		"AppealID": private, "DecisionID": private, "PlayerID": private, "Granted": private, "QuestionID": private,
		"At": private,
	}),
	event.TokenRevokedSubject: {"TokenID": private, "PlayerID": private, "At": private},
}

// decidedSubject is what a decision of the moderators is about.
var decidedSubject = map[string]bool{
	"Decided.Kind": private, "Decided.ID": private, "Decided.MapID": private, "Decided.PlayerID": private,
}

var recordChangeFields = map[string]bool{
	"RecordID": public, "MapID": public, "PlayerID": public, "FinishTime": public, "At": public,
	"FinishTimeStamp": public, "CreatedAt": public, "PersonalBest": private, "Reason": private, "DecisionID": private,
	"Moved.PlayerID": private, "Moved.RecordID": private, "Moved.FinishTime": private, "Moved.From": private,
	"Moved.To":             private,
	"WorldRecord.RecordID": private, "WorldRecord.PlayerID": private, "WorldRecord.FinishTime": private,
	"WorldRecord.At": private,
}

var visibilityFields = map[string]bool{
	"PlayerID": public, "At": public, "Reason": private, "DecisionID": private,
	"WorldRecords.MapID": private, "WorldRecords.WorldRecord.RecordID": private,
	"WorldRecords.WorldRecord.PlayerID": private, "WorldRecords.WorldRecord.FinishTime": private,
	"WorldRecords.WorldRecord.At": private,
}

var submittedMapFields = map[string]bool{
	"MapID": public, "SubmittedByID": private, "SupersededID": private, "ReplayBucket": private, "ReplayKey": private,
	"ReplayHash": private, "FinishTime": private, "FinishTimeStamp": private,
}

func joined(all ...map[string]bool) map[string]bool {
	sum := map[string]bool{}
	for _, m := range all {
		maps.Copy(sum, m)
	}
	return sum
}

// A field that a fact gets has to be entered above, as public or private. What is sent changes with the value of each
// public field and with no other.
func TestTranslate_fields(t *testing.T) {
	t.Parallel()
	for _, f := range event.Facts() {
		t.Run(f.Subject(), func(t *testing.T) {
			t.Parallel()
			base := sent(t, f, "")
			got := map[string]bool{}
			for _, field := range facttest.FieldsOf(f) {
				got[field] = sent(t, f, field) != base
			}
			assert.Equal(t, "the fields that are public", fieldsOfFacts[f.Subject()], got)
		})
	}
	if len(fieldsOfFacts) != len(event.Facts()) {
		t.Errorf("the fields of %d facts are decided, there are %d", len(fieldsOfFacts), len(event.Facts()))
	}
}

// sent returns what is sent of a fact of the type of f. The field changed has another value than usual.
func sent(t *testing.T, f event.Fact, changed string) string {
	t.Helper()
	e, err := Translate(f.Subject(), enveloped(t, facttest.Filled(t, f, changed)))
	if err != nil {
		t.Fatalf("%s: %v", changed, err)
	}
	if e == nil {
		return ""
	}
	return string(e.Kind) + encoded(t, e.Data)
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	require.NoError(t, err)
	return string(data)
}

// enveloped returns the envelope of a fact.
func enveloped(t *testing.T, fact any) event.Envelope {
	t.Helper()
	return event.Envelope{ID: "e", At: publishedAt, Data: json.RawMessage(encoded(t, fact))}
}

var publishedAt = time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)

// id returns an id that ends with a number.
func id(n int) string { return fmt.Sprintf("01970000-0000-7000-8000-%012d", n) }

func translated(t *testing.T, f event.Fact) *Event {
	t.Helper()
	e, err := Translate(f.Subject(), enveloped(t, f))
	require.NoError(t, err)
	return e
}

func TestTranslate_record(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 11, 18, 2, 33, 0, time.UTC)
	e := translated(t, event.RecordSubmitted{
		RecordID: id(1), MapID: id(2), PlayerID: id(3), FinishTime: 41233, FinishTimeStamp: at.Add(-time.Minute),
		PersonalBest: true, WorldRecord: true,
		Mode: "Death Arrows", Medal: "gold", Rank: 1, At: at,
		Overtook:            []event.MovedPlayer{{PlayerID: id(4), RecordID: id(5), FinishTime: 42000, From: 1, To: 2}},
		PreviousWorldRecord: &event.WorldRecord{RecordID: id(5), PlayerID: id(4), FinishTime: 42000, At: at},
	})
	const want = `{"at":"2026-05-11T18:02:33.000Z","finishTime":41233,"finishTimeStamp":"2026-05-11T18:01:33.000Z",` +
		`"mapId":"01970000-0000-7000-8000-000000000002","medal":"gold","mode":"Death Arrows",` +
		`"overtook":[{"from":1,"playerId":"01970000-0000-7000-8000-000000000004","to":2}],"personalBest":true,` +
		`"playerId":"01970000-0000-7000-8000-000000000003",` +
		`"previousWorldRecord":{"finishTime":42000,"playerId":"01970000-0000-7000-8000-000000000004",` +
		`"recordId":"01970000-0000-7000-8000-000000000005"},"rank":1,` +
		`"recordId":"01970000-0000-7000-8000-000000000001","worldRecord":true}`
	assert.Equal(t, "event", want, encoded(t, e.Data))
}

func TestTranslate_points(t *testing.T) {
	t.Parallel()
	e := translated(t, event.RankingChanged{
		Players: []event.RankedPlayer{
			{PlayerID: id(1), Before: 19254, After: 18596, Rank: 12}, {PlayerID: id(2), Before: 412},
		},
		At: time.Date(2026, 5, 11, 18, 2, 33, 0, time.UTC),
	})
	const want = `{"at":"2026-05-11T18:02:33.000Z","players":[` +
		`{"change":-65.8,"playerId":"01970000-0000-7000-8000-000000000001","points":1859.6,"rank":12},` +
		`{"change":-41.2,"playerId":"01970000-0000-7000-8000-000000000002","points":0,"rank":null}]}`
	assert.Equal(t, "event", want, encoded(t, e.Data))
	for query, want := range map[Filter]bool{
		{Types: AllTypes}: true, {Types: TypePoints, PlayerID: id(2)}: true, {Types: TypePoints, PlayerID: id(3)}: false,
		{Types: TypePlayer}: false, {Types: AllTypes, MapID: id(1)}: false,
	} {
		if got := query.Selects(e); got != want {
			t.Errorf("%+v selects it: %t", query, got)
		}
	}
}

func TestTranslate_unreadable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		subject string
		fact    any
	}{
		"no data":         {event.MapRemovedSubject, nil},
		"no id":           {event.MapRemovedSubject, event.MapRemoved{MapID: "id\n\ndata: 1"}},
		"no player's id":  {event.RecordSubmittedSubject, event.RecordSubmitted{MapID: id(1)}},
		"another type":    {event.PlayerMergedSubject, []int{1}},
		"no receiver":     {event.NotificationsAddedSubject, event.NotificationsAdded{PlayerIDs: []string{""}}},
		"no receivers":    {event.NotificationsAddedSubject, event.NotificationsAdded{}},
		"no record's map": {event.RecordRemovedSubject, event.RecordRemoved{PlayerID: id(1)}},
	} {
		if e, err := Translate(tt.subject, enveloped(t, tt.fact)); err == nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A record of a hidden player, or on a removed map, is not public.
func TestTranslate_inactive_record(t *testing.T) {
	t.Parallel()
	fact := event.RecordSubmitted{RecordID: id(1), MapID: id(2), PlayerID: id(3), FinishTime: 41_000, Inactive: true}
	e, err := Translate(fact.Subject(), enveloped(t, fact))
	if e != nil || err != nil {
		t.Errorf("%+v, %v", e, err)
	}
}
