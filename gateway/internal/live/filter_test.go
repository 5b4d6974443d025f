package live

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

func parse(t *testing.T, query string, header ...string) (request, error) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/api/v1/events?"+query, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return parseRequest(r)
}

func TestParseRequest(t *testing.T) {
	t.Parallel()
	number := func(n uint64) *uint64 { return &n }
	for _, tt := range []struct {
		query  string
		header []string
		want   request
	}{
		{"", nil, request{filter: filter{types: allTypes}}},
		{"types=record", nil, request{filter: filter{types: typeRecord}}},
		{"types=worldRecord,map,%20player", nil, request{filter: filter{types: typeWorldRecord | typeMap | typePlayer}}},
		{"map=" + strings.ToUpper("01970000-0000-7000-8000-00000000000a"), nil,
			request{filter: filter{types: allTypes, mapID: "01970000-0000-7000-8000-00000000000a"}}},
		{"player=" + id(2) + "&mode=Death%20Arrows", nil,
			request{filter: filter{types: allTypes, playerID: id(2), mode: "Death Arrows"}}},
		{"me=true", nil, request{filter: filter{types: allTypes}, me: true}},
		{"me=false", nil, request{filter: filter{types: allTypes}}},
		{"after=0", nil, request{filter: filter{types: allTypes}, after: number(0)}},
		{"after=12", []string{"Last-Event-ID", "34"}, request{filter: filter{types: allTypes}, after: number(34)}},
		{"unknown=1", []string{"Accept", "*/*"}, request{filter: filter{types: allTypes}}},
		{"", []string{"Accept", "application/x-ndjson"}, request{filter: filter{types: allTypes}, ndjson: true}},
		{"", []string{"Accept", "application/x-ndjson, text/event-stream;q=0.5"},
			request{filter: filter{types: allTypes}, ndjson: true}},
		{"", []string{"Accept", "text/event-stream, application/x-ndjson"}, request{filter: filter{types: allTypes}}},
	} {
		got, err := parse(t, tt.query, tt.header...)
		if err != nil {
			t.Errorf("%q: %v", tt.query, err)
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(request{}, filter{})); diff != "" {
			t.Errorf("%q %q (-want +got):\n%s", tt.query, tt.header, diff)
		}
	}
}

func TestParseRequest_mistakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query       string
		header      []string
		code, field string
	}{
		{"types=record,bans", nil, "type_unknown", "types"},
		{"types=,", nil, "type_unknown", "types"},
		{"map=1", nil, "id_malformed", "map"},
		{"player=" + id(1) + "0", nil, "id_malformed", "player"},
		{"mode=classic", nil, "mode_unknown", "mode"},
		{"me=1", nil, "malformed_request", "me"},
		{"after=-1", nil, "event_id_malformed", "after"},
		{"after=1.5", nil, "event_id_malformed", "after"},
		{"after=9007199254740992", nil, "event_id_malformed", "after"},
		{"after=99999999999999999999999", nil, "event_id_malformed", "after"},
		{"after=1", []string{"Last-Event-ID", "garbage"}, "event_id_malformed", "Last-Event-ID"},
	} {
		_, err := parse(t, tt.query, tt.header...)
		p := problem.From(err)
		if p == nil || p.Kind != problem.KindInvalidArgument || p.Code != tt.code || len(p.Fields) != 1 ||
			p.Fields[0].Field != tt.field {
			t.Errorf("%q %q: %+v", tt.query, tt.header, p)
		}
	}
}

func TestFilter_selects(t *testing.T) {
	t.Parallel()
	record := event.RecordSubmitted{
		RecordID: id(1), MapID: id(2), PlayerID: id(3), Mode: "Grapple",
		Overtook:            []event.MovedPlayer{{PlayerID: id(4)}},
		PreviousWorldRecord: &event.WorldRecord{PlayerID: id(5)},
	}
	worldRecord := record
	worldRecord.WorldRecord = true
	events := map[string]*liveEvent{
		"record":       translated(t, 1, record),
		"world record": translated(t, 1, worldRecord),
		"removed":      translated(t, 1, event.RecordRemoved{MapID: id(2), PlayerID: id(3)}),
		"hidden":       translated(t, 1, event.RecordsHidden{PlayerID: id(3)}),
		"map":          translated(t, 1, event.MapCreated{MapID: id(2), SubmittedByID: id(3)}),
		"registered":   translated(t, 1, event.PlayerRegistered{PlayerID: id(3)}),
		"merged":       translated(t, 1, event.PlayerMerged{PlayerID: id(3), IntoID: id(6)}),
		"inbox":        translated(t, 1, event.NotificationsAdded{PlayerIDs: []string{id(9), id(8), id(7)}, Kind: "k"}),
	}
	type names = []string
	for _, tt := range []struct {
		name   string
		filter filter
		want   names
	}{
		{"all", filter{types: allTypes},
			names{"record", "world record", "removed", "hidden", "map", "registered", "merged"}},
		{"records", filter{types: typeRecord}, names{"record", "world record", "removed", "hidden"}},
		{"world records", filter{types: typeWorldRecord}, names{"world record", "removed", "hidden"}},
		{"maps", filter{types: typeMap}, names{"map"}},
		{"players", filter{types: typePlayer}, names{"registered", "merged"}},
		{"two types", filter{types: typeMap | typeWorldRecord}, names{"world record", "removed", "hidden", "map"}},
		{"a map", filter{types: allTypes, mapID: id(2)}, names{"record", "world record", "removed", "map"}},
		{"another map", filter{types: allTypes, mapID: id(3)}, nil},
		{"a player", filter{types: allTypes, playerID: id(3)},
			names{"record", "world record", "removed", "hidden", "registered", "merged"}},
		{"an overtaken player", filter{types: allTypes, playerID: id(4)}, names{"record", "world record"}},
		{"who had the world record", filter{types: allTypes, playerID: id(5)}, names{"record", "world record"}},
		{"who a player was merged into", filter{types: allTypes, playerID: id(6)}, names{"merged"}},
		{"a mode", filter{types: allTypes, mode: "Grapple"}, names{"record", "world record"}},
		{"another mode", filter{types: allTypes, mode: "Classic"}, nil},
		{"world records of a mode", filter{types: typeWorldRecord, mode: "Grapple"}, names{"world record"}},
		{"a receiver's news, whatever else is selected", filter{types: typeMap, mapID: id(1), receiver: id(8)},
			names{"inbox"}},
		{"who is no receiver", filter{types: allTypes, mapID: id(1), playerID: id(8), receiver: id(6)}, nil},
	} {
		var got names
		for _, name := range []string{
			"record", "world record", "removed", "hidden", "map", "registered", "merged", "inbox",
		} {
			if tt.filter.selects(events[name]) {
				got = append(got, name)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +selected):\n%s", tt.name, diff)
		}
	}
}
