package live

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/facttest"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/publicevent"
)

var publishedAt = time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)

// stored returns the message of a fact.
func stored(t *testing.T, sequence uint64, subject string, fact any) eventbus.StoredMsg {
	t.Helper()
	data, err := json.Marshal(fact)
	require.NoError(t, err)
	message, err := json.Marshal(event.Envelope{ID: "e", At: publishedAt, Data: data})
	require.NoError(t, err)
	return eventbus.StoredMsg{Sequence: sequence, Subject: subject, Data: message}
}

// schemas are the types of the contract of each kind of event.
var schemas = map[publicevent.Kind]string{
	publicevent.KindRecord: "RecordEvent", publicevent.KindRecordRemoved: "RecordChangeEvent",
	publicevent.KindRecordRestored: "RecordChangeEvent", publicevent.KindRecordsHidden: "PlayerEvent",
	publicevent.KindRecordsShown: "PlayerEvent", publicevent.KindMap: "MapEvent", publicevent.KindMapUpdated: "MapEvent",
	publicevent.KindMapRemoved: "MapEvent", publicevent.KindMapRestored: "MapEvent",
	publicevent.KindPlayerRegistered: "PlayerEvent", publicevent.KindPlayerMerged: "PlayerMergedEvent",
	publicevent.KindPlayerDeleted: "PlayerDeletedEvent", publicevent.KindPoints: "PointsEvent",
	publicevent.KindInbox: "InboxEvent", kindReset: "ResetEvent",
}

func TestEncode_contract(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(apidoc.Document())
	require.NoError(t, err)
	reset, err := encode(7, publicevent.Event{Kind: kindReset, Data: resetData{3}})
	require.NoError(t, err)
	events := []*liveEvent{reset}
	for _, f := range event.Facts() {
		e, err := translate(stored(t, 7, f.Subject(), facttest.Filled(t, f, "")))
		require.NoError(t, err)
		if e != nil {
			events = append(events, e)
		}
	}
	events = append(events, translated(t, 7, event.RecordSubmitted{RecordID: id(1), MapID: id(2), PlayerID: id(3)}))
	for _, e := range events {
		form := string(e.sse)
		head := fmt.Sprintf("id: 7\nevent: %s\ndata: ", e.Kind)
		data, ok := strings.CutPrefix(form, head)
		data, ends := strings.CutSuffix(data, "\n\n")
		if !ok || !ends || strings.Contains(data, "\n") {
			t.Errorf("%s is sent as %q", e.Kind, form)
		}
		if want := fmt.Sprintf("{\"type\":%q,\"id\":7,%s\n", e.Kind, data[1:]); want != string(e.ndjson) {
			t.Errorf("%s is sent as %q, want %q", e.Kind, e.ndjson, want)
		}
		var object map[string]any
		require.NoError(t, json.Unmarshal([]byte(data), &object))
		schema := doc.Components.Schemas[schemas[e.Kind]].Value
		if err := schema.VisitJSON(object); err != nil && e.Mode == "" {
			t.Errorf("%s: %v", e.Kind, err)
		}
		if diff := cmp.Diff(slices.Sorted(maps.Keys(schema.Properties)), slices.Sorted(maps.Keys(object))); diff != "" {
			t.Errorf("the fields of %s (-contract +sent):\n%s", e.Kind, diff)
		}
	}
}

// id returns an id that ends with a number.
func id(n int) string { return fmt.Sprintf("01970000-0000-7000-8000-%012d", n) }

func translated(t *testing.T, sequence uint64, f event.Fact) *liveEvent {
	t.Helper()
	e, err := translate(stored(t, sequence, f.Subject(), f))
	require.NoError(t, err)
	return e
}

// The subject of a filter has every fact that the filter selects, and of one type no others.
func TestSubjectOf(t *testing.T) {
	t.Parallel()
	for types := publicevent.Types(1); types <= publicevent.AllTypes; types++ {
		for _, receiver := range []string{"", id(1)} {
			filter := publicevent.Filter{Types: types, ReceiverID: receiver}
			subject, wildcard := strings.CutSuffix(subjectOf(filter), ">")
			if isOne := types&(types-1) == 0; isOne && receiver == "" && subject == everyFact {
				t.Errorf("of the type %v every fact is read", types.Names())
			}
			for _, f := range event.Facts() {
				e, err := translate(stored(t, 7, f.Subject(), facttest.Filled(t, f, "")))
				require.NoError(t, err)
				if e != nil && filter.Selects(&e.Event) && f.Subject() != subject && subject != everyFact &&
					(!wildcard || !strings.HasPrefix(f.Subject(), subject)) {
					t.Errorf("%s is not read for the types %v on %s", f.Subject(), types.Names(), subject)
				}
			}
		}
	}
}

func TestTranslate_unreadable(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{"no JSON": "{", "no data": "{}"} {
		e, err := translate(eventbus.StoredMsg{Sequence: 1, Subject: event.MapRemovedSubject, Data: []byte(data)})
		if err == nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
