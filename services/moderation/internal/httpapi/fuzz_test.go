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
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/token"
	"capzone.dev/services/moderation/internal/httpapi"
	"capzone.dev/services/moderation/internal/moderation"
	"capzone.dev/services/moderation/internal/postgres"
	"capzone.dev/services/moderation/migrations"
)

const (
	adminID  = "01970000-0000-7000-8000-000000000001"
	playerID = "01970000-0000-7000-8000-000000000002"
	mapID    = "01970000-0000-7000-8000-00000000000a"
	recordID = "01970000-0000-7000-8000-00000000000b"
)

// successes are the statuses of requests that are carried out, and refusals those of requests that are not.
var (
	successes = []int{http.StatusOK, http.StatusCreated}
	refusals  = []int{
		http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity, http.StatusTooManyRequests,
	}
)

// Whatever is in the query and the body of an admin's request, the answer is one of success or one of the refusals.
func FuzzAPI(f *testing.F) {
	routes := []struct{ method, path string }{
		{http.MethodPost, "/reports"},
		{http.MethodGet, "/desk/cases"},
		{http.MethodGet, "/desk/cases/{id}"},
		{http.MethodPost, "/desk/cases/{id}/claim"},
		{http.MethodPost, "/desk/cases/{id}/decisions"},
		{http.MethodPost, "/desk/decisions"},
		{http.MethodPost, "/desk/decisions/{id}/undo"},
		{http.MethodGet, "/desk/appeals"},
		{http.MethodPost, "/desk/appeals/{id}/answer"},
		{http.MethodGet, "/desk/audit"},
		{http.MethodGet, "/desk/audit/export"},
		{http.MethodGet, "/decisions/{id}"},
		{http.MethodPost, "/appeals"},
		{http.MethodPost, "/appeals/{id}/messages"},
		{http.MethodGet, "/moderation/records/{id}"},
		{http.MethodDelete, "/desk/cases/{id}/claim"},
	}
	const subject = `{"subject":{"kind":"record","id":"` + recordID + `"},`
	for _, seed := range []struct {
		route           uint8
		id, query, body string
	}{
		{0, "", "", subject + `"reason":"edited"}`},
		{0, "", "", subject + `"reason":"other","text":"\u0000 is in this text"}`},
		{0, "", "", `{"subject":{"kind":"player","id":"` + adminID + `"},"reason":"name"}`},
		{1, "", "kind=record&state=open&assigned=free&sort=age&page=2&limit=5", ""},
		{1, "", "kind=%00&page=-1&limit=99999999999999999999", ""},
		{2, recordID, "", ""},
		{2, "\x00\xff", "", ""},
		{3, recordID, "", `{"override":true}`},
		{4, recordID, "", `{"kind":"dismiss","publicReason":"other","text":"Nothing is wrong."}`},
		{5, "", "", subject + `"kind":"remove_record","publicReason":"edited","text":"The replay was edited."}`},
		{5, "", "", `{"subject":{"kind":"player","id":"` + playerID +
			`"},"kind":"ban","publicReason":"other","text":"For many years.","until":"9999-12-31T23:59:59Z"}`},
		{5, "", "", `{"subject":{"kind":"player","id":"` + playerID +
			`"},"kind":"merge","publicReason":"other","text":"The same person.","intoId":"x"}`},
		{6, recordID, "", `{"publicReason":"mistake","text":"It was a mistake."}`},
		{7, "", "state=answered&page=10000&limit=100", ""},
		{8, recordID, "", `{"outcome":"asked","text":"Where is the video?"}`},
		{9, "", "actor=ops&subject=" + mapID + "&action=decide&from=2026-05-11T18:02:33Z&before=7&limit=10", ""},
		{9, "", "actor=%00&subject=%ff&action=%00&from=0000-01-01T00:00:00Z&to=x&before=9223372036854775808", ""},
		{10, "", "actor=%00", ""},
		{10, "", "to=9999-12-31T23:59:59%2B14:00", ""},
		{11, recordID, "", ""},
		{12, "", "", `{"decisionId":"` + recordID + `","text":"It is wrong, because …"}`},
		{13, recordID, "", `{"text":"\ud800 and more text"}`},
		{14, strings.ToUpper(recordID), "", ""},
		{15, recordID, "", ""},
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

		code, contentType := recorder.Code, recorder.Header().Get("Content-Type")
		if code == http.StatusNoContent || code == http.StatusMovedPermanently ||
			code == http.StatusOK && strings.HasPrefix(contentType, "application/x-ndjson") {
			return
		}
		var answer struct {
			Success *bool
			Code    string
		}
		if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil || answer.Success == nil {
			t.Fatalf("%d without the envelope: %v: %q", code, err, recorder.Body)
		}
		if *answer.Success && slices.Contains(successes, code) {
			return
		}
		if *answer.Success || !slices.Contains(refusals, code) || answer.Code == "" {
			t.Errorf("%s %s %q: %d %s", r.method, req.URL, body, code, recorder.Body)
		}
	})
}

// newEngine returns the API with copies of an admin, a player and a map, a record of the player, and the admin's
// header. Decisions are stored and carried out by nobody.
func newEngine(f *testing.F) (engine http.Handler, bearer string) {
	f.Helper()
	store := postgres.NewStore(pgtest.Open(f, "moderation", migrations.FS))
	for id, roles := range map[string][]string{adminID: {access.Admin}, playerID: {}} {
		p := moderation.Player{ID: id, Version: 1, Name: "Ann", Roles: roles, Registered: true, CreatedAt: time.Now()}
		require.NoError(f, store.ApplyPlayer(f.Context(), p))
	}
	require.NoError(f, store.ApplyMap(f.Context(), moderation.Map{ID: mapID, Version: 1, Name: "Skyline"}))
	things := &moderation.Things{
		Players: lookup.NewPlayers(store, func(context.Context, string) (moderation.Player, error) {
			return moderation.Player{}, event.ErrPlayerUnknown
		}),
		Maps: lookup.NewMaps(store, func(context.Context, string) (moderation.Map, error) {
			return moderation.Map{}, event.ErrMapUnknown
		}),
		Copies: store, Records: oneRecord{},
	}
	newID := func() string { return uuid.Must(uuid.NewV7()).String() }
	desk := &moderation.Desk{Cases: store, Decisions: store, Things: things, Now: time.Now, NewID: newID}
	key, err := token.NewKey()
	require.NoError(f, err)
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	require.NoError(f, err)
	signed, err := signer.Sign(token.Claims{PlayerID: adminID, Name: "Ann", Roles: []string{access.Admin}})
	require.NoError(f, err)
	e := httpserve.NewEngine(httpserve.Options{
		Log: slog.New(slog.DiscardHandler), Verifier: token.NewLocalVerifier(signer), MaxBody: httpapi.MaxBody,
	})
	httpapi.Register(e, &httpapi.Server{
		Reports: &moderation.Reports{Store: store, Things: things, Now: time.Now, NewID: newID},
		Desk:    desk, Appeals: &moderation.Appeals{Store: store, Desk: desk},
		AuditLog:   &moderation.AuditLog{Store: store, Players: things.Players},
		Statistics: &moderation.Statistics{Store: store, Players: things.Players, Now: time.Now},
		Things:     things,
	})
	return e, "Bearer " + signed
}

// oneRecord knows one record, of the player on the map.
type oneRecord struct{}

func (oneRecord) Inspect(_ context.Context, q event.InspectRecord) (event.InspectedRecord, error) {
	if q.RecordID != recordID {
		return event.InspectedRecord{}, moderation.ErrSubjectUnknown
	}
	return event.InspectedRecord{RecordID: recordID, MapID: mapID, PlayerID: playerID, FinishTime: 40_000}, nil
}
