package route_test

import (
	"testing"

	"capzone.dev/gateway/internal/route"
)

func TestRoute_IsRepeatable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		route route.Route
		want  bool
	}{
		{route.Route{Method: "GET", Service: route.Records}, true},
		{route.Route{Method: "GET", Service: route.Records, Stream: true}, false},
		{route.Route{Method: "GET", Service: route.Auth}, false},
		{route.Route{Method: "POST", Service: route.Records}, false},
	} {
		if got := tt.route.IsRepeatable(); got != tt.want {
			t.Errorf("%+v: %t, want %t", tt.route, got, tt.want)
		}
	}
}

// A stream has no response that the cache could store.
func TestTable_streams(t *testing.T) {
	t.Parallel()
	for _, r := range route.Table {
		if r.Stream && (r.Cached || r.Preview || r.MaxBody > 0) {
			t.Errorf("%s is a stream and something else", r.Path)
		}
	}
}
