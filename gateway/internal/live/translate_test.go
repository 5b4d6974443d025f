package live

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

const (
	public  = true
	private = false
)

// attribution are the fields of who decided, and why.
var attribution = map[string]bool{
	"Attribution.Actor.Kind": private, "Attribution.Actor.ID": private, "Attribution.Actor.Name": private,
	"Attribution.Actor.Roles": private, "Attribution.Reason": private, "Attribution.PublicReason": private,
	"Attribution.DecisionID": private,
}

// fieldsOfFacts says of each field of each fact whether its value is sent to readers. The type of a public fact is
// public besides, and the players of NotificationsAdded get the event.
var fieldsOfFacts = map[string]map[string]bool{
	event.RecordSubmittedSubject: {
		"RecordID": public, "MapID": public, "PlayerID": public, "FinishTime": public, "PersonalBest": public,
		"WorldRecord": public, "Mode": public, "Rank": public, "At": public,
		"Overtook.PlayerID": public, "Overtook.From": public, "Overtook.To": public,
		"Overtook.RecordID": private, "Overtook.FinishTime": private,
		"PreviousWorldRecord.RecordID": public, "PreviousWorldRecord.PlayerID": public,
		"PreviousWorldRecord.FinishTime": public, "PreviousWorldRecord.At": private,
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
		"DecisionID": private, "PlayerID": private, "Kind": private, "At": private,
	}),
	event.ReportClosedSubject: joined(decidedSubject, map[string]bool{
		"DecisionID": private, "ReporterIDs": private, "Confirmed": private, "At": private,
	}),
	event.AppealAnsweredSubject: joined(decidedSubject, map[string]bool{
		"AppealID": private, "DecisionID": private, "PlayerID": private, "Granted": private, "At": private,
	}),
}

// decidedSubject is what a decision of the moderators is about.
var decidedSubject = map[string]bool{"Decided.Kind": private, "Decided.ID": private, "Decided.MapID": private}

var recordChangeFields = map[string]bool{
	"RecordID": public, "MapID": public, "PlayerID": public, "FinishTime": public, "At": public,
	"PersonalBest": private, "Reason": private, "DecisionID": private,
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
			for _, field := range fieldsOf(reflect.TypeOf(f), "") {
				got[field] = sent(t, f, field) != base
			}
			if diff := cmp.Diff(fieldsOfFacts[f.Subject()], got); diff != "" {
				t.Errorf("the fields that are public (-decided +sent):\n%s", diff)
			}
		})
	}
	if len(fieldsOfFacts) != len(event.Facts()) {
		t.Errorf("the fields of %d facts are decided, there are %d", len(fieldsOfFacts), len(event.Facts()))
	}
}

// fieldsOf returns the names of the fields of a type, of nested types with the name of the outer field before a dot.
func fieldsOf(typ reflect.Type, name string) (fields []string) {
	switch {
	case typ.Kind() == reflect.Pointer, typ.Kind() == reflect.Slice && typ != reflect.TypeFor[json.RawMessage]():
		return fieldsOf(typ.Elem(), name)
	case typ.Kind() == reflect.Struct && typ != reflect.TypeFor[time.Time]():
		for field := range typ.Fields() {
			fields = append(fields, fieldsOf(field.Type, strings.TrimPrefix(name+"."+field.Name, "."))...)
		}
		return fields
	}
	return []string{name}
}

// sent returns what is sent of a fact of the type of f all of whose fields have values. That of the field changed is
// another one than usual.
func sent(t *testing.T, f event.Fact, changed string) string {
	t.Helper()
	fact := reflect.New(reflect.TypeOf(f)).Elem()
	fill(t, fact, "", changed)
	e, err := translate(stored(t, 7, f.Subject(), fact.Interface()))
	if err != nil {
		t.Fatalf("%s: %v", changed, err)
	}
	if e == nil {
		return ""
	}
	return string(e.sse) + string(e.ndjson)
}

// fill gives all fields of a value values that follow from their names.
func fill(t *testing.T, v reflect.Value, name, changed string) {
	t.Helper()
	hash := fnv.New32()
	_, _ = hash.Write([]byte(name))
	number := int64(hash.Sum32())
	if name == changed {
		number++
	}
	id := fmt.Sprintf("01970000-0000-7000-8000-%012x", number)
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.UnixMilli(number).UTC()))
		return
	case json.RawMessage:
		v.SetBytes(fmt.Appendf(nil, "%q", id))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), changed)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), name, changed)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), name, changed)
	case reflect.String:
		v.SetString(id)
	case reflect.Int, reflect.Int64:
		v.SetInt(number)
	case reflect.Bool:
		v.SetBool(name == changed)
	default:
		t.Fatalf("%s is a %s", name, v.Type())
	}
}

var publishedAt = time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)

// stored returns the message of a fact.
func stored(t *testing.T, sequence uint64, subject string, fact any) eventbus.StoredMsg {
	t.Helper()
	data, err := json.Marshal(fact)
	if err != nil {
		t.Fatal(err)
	}
	message, err := json.Marshal(event.Envelope{ID: "e", At: publishedAt, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return eventbus.StoredMsg{Sequence: sequence, Subject: subject, Data: message}
}

// schemas are the types of the contract of each kind of event.
var schemas = map[kind]string{
	kindRecord: "RecordEvent", kindRecordRemoved: "RecordChangeEvent", kindRecordRestored: "RecordChangeEvent",
	kindRecordsHidden: "PlayerEvent", kindRecordsShown: "PlayerEvent", kindMap: "MapEvent", kindMapUpdated: "MapEvent",
	kindMapRemoved: "MapEvent", kindMapRestored: "MapEvent", kindPlayerRegistered: "PlayerEvent",
	kindPlayerMerged: "PlayerMergedEvent", kindPlayerDeleted: "PlayerDeletedEvent", kindInbox: "InboxEvent",
	kindReset: "ResetEvent",
}

func TestEncode_contract(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(apidoc.Document())
	if err != nil {
		t.Fatal(err)
	}
	reset, err := encode(7, content{kind: kindReset, data: resetData{3}})
	if err != nil {
		t.Fatal(err)
	}
	events := []*liveEvent{reset}
	for _, f := range event.Facts() {
		fact := reflect.New(reflect.TypeOf(f)).Elem()
		fill(t, fact, "", "")
		e, err := translate(stored(t, 7, f.Subject(), fact.Interface()))
		if err != nil {
			t.Fatal(err)
		}
		if e != nil {
			events = append(events, e)
		}
	}
	events = append(events, translated(t, 7, event.RecordSubmitted{RecordID: id(1), MapID: id(2), PlayerID: id(3)}))
	for _, e := range events {
		form := string(e.sse)
		head := fmt.Sprintf("id: 7\nevent: %s\ndata: ", e.kind)
		data, ok := strings.CutPrefix(form, head)
		data, ends := strings.CutSuffix(data, "\n\n")
		if !ok || !ends || strings.Contains(data, "\n") {
			t.Errorf("%s is sent as %q", e.kind, form)
		}
		if want := fmt.Sprintf("{\"type\":%q,\"id\":7,%s\n", e.kind, data[1:]); want != string(e.ndjson) {
			t.Errorf("%s is sent as %q, want %q", e.kind, e.ndjson, want)
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(data), &object); err != nil {
			t.Fatal(err)
		}
		schema := doc.Components.Schemas[schemas[e.kind]].Value
		if err := schema.VisitJSON(object); err != nil && e.mode == "" {
			t.Errorf("%s: %v", e.kind, err)
		}
		if diff := cmp.Diff(slices.Sorted(maps.Keys(schema.Properties)), slices.Sorted(maps.Keys(object))); diff != "" {
			t.Errorf("the fields of %s (-contract +sent):\n%s", e.kind, diff)
		}
	}
}

// id returns an id that ends with a number.
func id(n int) string { return fmt.Sprintf("01970000-0000-7000-8000-%012d", n) }

func translated(t *testing.T, sequence uint64, f event.Fact) *liveEvent {
	t.Helper()
	e, err := translate(stored(t, sequence, f.Subject(), f))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestTranslate_record(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 11, 18, 2, 33, 0, time.UTC)
	e := translated(t, 12, event.RecordSubmitted{
		RecordID: id(1), MapID: id(2), PlayerID: id(3), FinishTime: 41233, PersonalBest: true, WorldRecord: true,
		Mode: "Death Arrows", Rank: 1, At: at,
		Overtook:            []event.MovedPlayer{{PlayerID: id(4), RecordID: id(5), FinishTime: 42000, From: 1, To: 2}},
		PreviousWorldRecord: &event.WorldRecord{RecordID: id(5), PlayerID: id(4), FinishTime: 42000, At: at},
	})
	const want = `{"type":"record","id":12,"recordId":"01970000-0000-7000-8000-000000000001",` +
		`"mapId":"01970000-0000-7000-8000-000000000002","playerId":"01970000-0000-7000-8000-000000000003",` +
		`"finishTime":41233,"personalBest":true,"worldRecord":true,"mode":"Death Arrows","rank":1,` +
		`"overtook":[{"playerId":"01970000-0000-7000-8000-000000000004","from":1,"to":2}],` +
		`"previousWorldRecord":{"recordId":"01970000-0000-7000-8000-000000000005",` +
		`"playerId":"01970000-0000-7000-8000-000000000004","finishTime":42000},"at":"2026-05-11T18:02:33.000Z"}` + "\n"
	if diff := cmp.Diff(want, string(e.ndjson)); diff != "" {
		t.Errorf("(-want +sent):\n%s", diff)
	}
}

func TestTranslate_unreadable(t *testing.T) {
	t.Parallel()
	for name, msg := range map[string]eventbus.StoredMsg{
		"no JSON":         {Sequence: 1, Subject: event.MapRemovedSubject, Data: []byte("{")},
		"no data":         {Sequence: 1, Subject: event.MapRemovedSubject, Data: []byte("{}")},
		"no id":           stored(t, 1, event.MapRemovedSubject, event.MapRemoved{MapID: "id\n\ndata: 1"}),
		"no player's id":  stored(t, 1, event.RecordSubmittedSubject, event.RecordSubmitted{MapID: id(1)}),
		"another type":    stored(t, 1, event.PlayerMergedSubject, []int{1}),
		"no receiver":     stored(t, 1, event.NotificationsAddedSubject, event.NotificationsAdded{PlayerIDs: []string{""}}),
		"no receivers":    stored(t, 1, event.NotificationsAddedSubject, event.NotificationsAdded{}),
		"no record's map": stored(t, 1, event.RecordRemovedSubject, event.RecordRemoved{PlayerID: id(1)}),
	} {
		if e, err := translate(msg); err == nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
