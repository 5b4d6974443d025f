package live

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/publicevent"
)

func parse(t *testing.T, query string, header ...string) (request, error) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/api/v1/events?"+query, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return parseRequest(r)
}

var everyType = publicevent.Filter{Types: publicevent.AllTypes}

func TestParseRequest(t *testing.T) {
	t.Parallel()
	number := func(n uint64) *uint64 { return &n }
	for _, tt := range []struct {
		query  string
		header []string
		want   request
	}{
		{"", nil, request{Filter: everyType}},
		{"types=record", nil, request{Filter: publicevent.Filter{Types: publicevent.TypeRecord}}},
		{"types=worldRecord,map,%20player", nil, request{Filter: publicevent.Filter{
			Types: publicevent.TypeWorldRecord | publicevent.TypeMap | publicevent.TypePlayer,
		}}},
		{"map=" + strings.ToUpper("01970000-0000-7000-8000-00000000000a"), nil,
			request{Filter: publicevent.Filter{Types: publicevent.AllTypes, MapID: "01970000-0000-7000-8000-00000000000a"}}},
		{"player=" + id(2) + "&mode=Death%20Arrows", nil,
			request{Filter: publicevent.Filter{Types: publicevent.AllTypes, PlayerID: id(2), Mode: "Death Arrows"}}},
		{"me=true", nil, request{Filter: everyType, me: true}},
		{"me=false", nil, request{Filter: everyType}},
		{"after=0", nil, request{Filter: everyType, after: number(0)}},
		{"after=12", []string{"Last-Event-ID", "34"}, request{Filter: everyType, after: number(34)}},
		{"unknown=1", []string{"Accept", "*/*"}, request{Filter: everyType}},
		{"", []string{"Accept", "application/x-ndjson"}, request{Filter: everyType, ndjson: true}},
		{"", []string{"Accept", "application/x-ndjson, text/event-stream;q=0.5"},
			request{Filter: everyType, ndjson: true}},
		{"", []string{"Accept", "text/event-stream, application/x-ndjson"}, request{Filter: everyType}},
	} {
		got, err := parse(t, tt.query, tt.header...)
		if err != nil {
			t.Errorf("%q: %v", tt.query, err)
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(request{})); diff != "" {
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
