package httpapi_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/token"
	"capzone.dev/services/notifications/internal/httpapi"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/postgres"
	"capzone.dev/services/notifications/internal/webhook"
	"capzone.dev/services/notifications/migrations"
)

const (
	playerID = "01970000-0000-7000-8000-000000000001"
	otherID  = "01970000-0000-7000-8000-000000000002"
	mapID    = "01970000-0000-7000-8000-00000000000a"
)

// refusals are the statuses with which a request of a player may be refused.
var refusals = []int{
	http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
}

// Whatever is in the query and the body of a request, the answer is one of success or one of the refusals.
func FuzzAPI(f *testing.F) {
	routes := []struct{ method, path string }{
		{http.MethodGet, "/inbox"}, {http.MethodPost, "/inbox/read"}, {http.MethodPut, "/inbox/settings"},
		{http.MethodPut, "/follows/players/{id}"}, {http.MethodDelete, "/follows/players/{id}"},
		{http.MethodGet, "/follows/maps/{id}"}, {http.MethodPut, "/follows/maps/{id}"},
		{http.MethodPost, "/webhooks"}, {http.MethodPatch, "/webhooks/{id}"}, {http.MethodGet, "/webhooks/{id}/deliveries"},
		{http.MethodPost, "/webhooks/{id}/deliveries/{id}/send"},
	}
	for _, seed := range []struct {
		route           uint8
		id, query, body string
	}{
		{0, "", "unread=true&kind=passed&before=7&limit=10", ""},
		{0, "", "kind=%00&before=-1&limit=99999999999999999999", ""},
		{1, "", "", `{"through":"7"}`},
		{1, "", "", `{"group":"9223372036854775807"}`},
		{1, "", "", `{"group":"\u0000"}`},
		{2, "", "", `{"settings":[{"kind":"passed","delivery":"off"}]}`},
		{2, "", "", `{"settings":[{"kind":"\u0000","delivery":"\ud800"}]}`},
		{3, otherID, "", ""},
		{3, "\x00\xff", "", ""},
		{4, playerID, "", ""},
		{5, mapID, "", ""},
		{6, strings.ToUpper(mapID), "", ""},
		{7, "", "", `{"url":"https://a.example/?\u0000","format":"json","filter":{"types":["record"],"mode":"Classic"}}`},
		{7, "", "", `{"url":"https://a.example","format":"discord","description":"\ud800","filter":{"types":["map"]}}`},
		{7, "", "", `{"url":"https://a.example","format":"discord","filter":{"types":["map"],"map":"x"}}`},
		{8, mapID, "", `{"enabled":false,"filter":{"types":[],"player":"\u0000"}}`},
		{9, "\x00", "", ""},
		{10, mapID, "", ""},
	} {
		f.Add(seed.route, seed.id, seed.query, seed.body)
	}
	engine, bearer := newEngine(f)
	f.Fuzz(func(t *testing.T, route uint8, id, query, body string) {
		r := routes[int(route)%len(routes)]
		req := httptest.NewRequestWithContext(t.Context(), r.method, "/", strings.NewReader(body))
		req.URL.Path, req.URL.RawQuery = "/api/v1"+strings.ReplaceAll(r.path, "{id}", id), query
		req.Header.Set("Authorization", bearer)
		req.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		engine.ServeHTTP(recorder, req)

		if recorder.Code == http.StatusNoContent || recorder.Code == http.StatusMovedPermanently {
			return
		}
		var answer struct {
			Success *bool
			Code    string
		}
		if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil || answer.Success == nil {
			t.Fatalf("%d without the envelope: %v: %q", recorder.Code, err, recorder.Body)
		}
		if *answer.Success && recorder.Code < http.StatusMultipleChoices {
			return
		}
		if *answer.Success || !slices.Contains(refusals, recorder.Code) || answer.Code == "" {
			t.Errorf("%s %s %q: %d %s", r.method, req.URL, body, recorder.Code, recorder.Body)
		}
	})
}

// newEngine returns the API with copies of two players and a map, and the first player's header. Owners know nothing.
func newEngine(f *testing.F) (engine http.Handler, bearer string) {
	f.Helper()
	store := postgres.NewStore(pgtest.Open(f, "notifications", migrations.FS))
	for _, id := range []string{playerID, otherID} {
		require.NoError(f, store.ApplyPlayer(f.Context(), notification.Player{ID: id, Version: 1, Name: "Ann"}))
	}
	require.NoError(f, store.ApplyMap(f.Context(), notification.Map{ID: mapID, Version: 1, Name: "Skyline"}))
	players := lookup.NewPlayers(store, func(context.Context, string) (notification.Player, error) {
		return notification.Player{}, notification.ErrPlayerUnknown
	})
	maps := lookup.NewMaps(store, func(context.Context, string) (notification.Map, error) {
		return notification.Map{}, notification.ErrMapUnknown
	})
	key, err := token.NewKey()
	require.NoError(f, err)
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	require.NoError(f, err)
	signed, err := signer.Sign(token.Claims{PlayerID: playerID, Name: "Ann"})
	require.NoError(f, err)
	e := httpserve.NewEngine(httpserve.Options{
		Log: slog.New(slog.DiscardHandler), Verifier: token.NewLocalVerifier(signer), MaxBody: httpapi.MaxBody,
	})
	httpapi.Register(e, &httpapi.Server{
		Inbox:   &notification.Inbox{Store: store, Players: players, Now: time.Now},
		Follows: &notification.Follows{Store: store, Players: players, Maps: maps, Now: time.Now},
		Webhooks: &webhook.Webhooks{
			Store: store, Players: players, Maps: maps, NewID: uuid.NewString, Now: time.Now,
		},
	})
	return e, "Bearer " + signed
}
