package e2e_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// Property-level authorisation: fields that may not be changed are ignored, and no response contains more
// of a player than the document says.
func TestAPI_ignored_fields(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	before, err := newVisitor().PlayerByID(t.Context(), v.Player.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"banned", "banReason", "registered", "_id", "id", "version", "mapCount", "recordCount",
		"createdAt", "trophies", "avatar", "skin"} {
		var f site.Form
		f.Field(field, "true")
		answer := send(t, v, f.Request(http.MethodPut, "/players/"+v.Player.ID))
		if answer.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", field, answer.Status, answer.Body)
		}
	}
	// Beside what may be changed they are passed over.
	var f site.Form
	f.File("skinImage", "avatar.png", picture())
	f.Field("registered", "false")
	f.Field("recordCount", "1000")
	if answer := send(t, v, f.Request(http.MethodPut, "/players/"+v.Player.ID)); answer.Status != http.StatusOK {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	after, err := newVisitor().PlayerByID(t.Context(), v.Player.ID)
	if err != nil {
		t.Fatal(err)
	}
	after.SkinImageURL, after.UpdatedAt = before.SkinImageURL, before.UpdatedAt
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("more than the picture changed (-before +after):\n%s", diff)
	}
}

func TestSubmitMap_values_of_the_replay(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	m := newMap(v.Player.Name)
	s := submission(t, m, v.Player.Name)
	var f site.Form
	f.File("replayFile", "run.lbReplay", s.Replay)
	f.File("mapImage", "map.png", s.Image)
	f.Field("author", "somebody else")
	f.Field("metadata", `{"author": "somebody else", "name": "Another", "gameMode": "Football", "bonkDbId": 1, "recordCount": 99, "createdAt": "1999-01-01T00:00:00Z",
		"_id": "01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55", "submittedBy": "somebody else"}`)
	answer := send(t, v, f.Request(http.MethodPost, "/maps/submit"))
	var got struct{ Data api.ParkourMap }
	if err := json.Unmarshal(answer.Body, &got); err != nil || answer.Status != http.StatusCreated {
		t.Fatalf("%d %s: %v", answer.Status, answer.Body, err)
	}
	entry := got.Data
	if entry.Name != m.Name || entry.Author.ID != v.Player.ID || entry.SubmittedBy.ID != v.Player.ID ||
		string(entry.GameMode) != m.Mode.String() ||
		entry.BonkDBID != m.ID || entry.RecordCount > 1 || entry.CreatedAt.Year() < 2026 ||
		entry.ID == "01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55" ||
		entry.MedalTimes.Author == nil || *entry.MedalTimes.Author != 40_000 {
		t.Errorf("the map is %+v", entry)
	}
}

func TestAPI_undocumented_fields(t *testing.T) {
	t.Parallel()
	m, entry, v := submitted(t)
	run := finished(t, v, m, 39_000)
	document := send(t, newVisitor(), site.Request{Path: "/openapi.json"})
	var api struct {
		Components struct {
			Schemas map[string]schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(document.Body, &api); err != nil {
		t.Fatal(err)
	}
	for url, name := range map[string]string{
		"/players/" + v.Player.ID: "Player", "/maps/" + entry.ID: "ParkourMap",
		"/records/" + run.Record.ID: "RecordDetails", "/stats": "Stats",
	} {
		documented := api.Components.Schemas[name].fields(api.Components.Schemas)
		slices.Sort(documented)
		var got struct{ Data map[string]json.RawMessage }
		answer := send(t, newVisitor(), site.Request{Path: url})
		if err := json.Unmarshal(answer.Body, &got); err != nil {
			t.Fatalf("%s: %v", answer.Body, err)
		}
		if diff := cmp.Diff(documented, slices.Sorted(maps.Keys(got.Data))); diff != "" || len(documented) == 0 {
			t.Errorf("%s (-documented +returned):\n%s", url, diff)
		}
	}
}

// schema is a schema of the contract, of its own properties or of those of others.
type schema struct {
	Ref        string                     `json:"$ref"`
	Properties map[string]json.RawMessage `json:"properties"`
	AllOf      []schema                   `json:"allOf"`
}

// fields returns the names of all properties.
func (s schema) fields(all map[string]schema) []string {
	if s.Ref != "" {
		return all[path.Base(s.Ref)].fields(all)
	}
	names := slices.Collect(maps.Keys(s.Properties))
	for _, part := range s.AllOf {
		names = append(names, part.fields(all)...)
	}
	return names
}

// Function-level authorisation: what is for operators, for neighbours and for the cluster is not at the door.
func TestGateway_internal_addresses(t *testing.T) {
	t.Parallel()
	admin := withRole(t, "admin")
	for _, path := range []string{
		"/metrics", "/readyz", "/debug/pprof/", "/.well-known/jwks.json", "/rpc.v1.players.get", "/api/v1/metrics",
		"/api/v1/admin", "/api/v1/players/grant",
		"/api/v1/rebuild", "/api/v2/stats", "/api/v1/auth/sessions", "/api/stats",
	} {
		answer := send(t, admin, site.Request{Path: path, AtRoot: true})
		page := strings.HasPrefix(answer.Header.Get("Content-Type"),
			"text/html") // the application's own page of an unknown address
		if answer.Status == http.StatusOK && !page {
			t.Errorf("%s is answered: %.200s", path, answer.Body)
		}
	}
	for _, method := range []string{http.MethodDelete, http.MethodPatch, http.MethodTrace, http.MethodConnect,
		"PROPFIND"} {
		for _, path := range []string{"/players/" + admin.Player.ID, "/maps/search", "/records"} {
			if answer := send(t, admin, site.Request{Method: method, Path: path}); answer.Status < http.StatusBadRequest {
				t.Errorf("%s %s: %d %s", method, path, answer.Status, answer.Body)
			}
		}
	}
}

// Server-side request forgery: the address of a key in a token is not requested.
func TestToken_with_an_address(t *testing.T) {
	t.Parallel()
	var asked []string
	trap := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		asked = append(asked, r.URL.Path)
	}))
	v := newPlayer(t)
	for _, name := range []string{"jku", "x5u"} {
		head, err := json.Marshal(map[string]string{"alg": "EdDSA", "typ": "JWT", "kid": "somewhere-else",
			name: trap.URL + "/" + name})
		if err != nil {
			t.Fatal(err)
		}
		raw := base64.RawURLEncoding.EncodeToString(head) + "." + encode(t,
			claims(v.Player.ID, "admin")) + "." + strings.Repeat("A", 86)
		for _, answer := range withToken(t, "Bearer "+raw) {
			refusal(t, answer, http.StatusUnauthorized, "token_invalid")
		}
	}
	for _, picture := range []string{trap.URL + "/picture.png", "file:///etc/passwd",
		`<svg xmlns="http://www.w3.org/2000/svg"><image href="` + trap.URL + `/svg"/></svg>`} {
		_, err := v.UpdatePlayer(t.Context(), v.Player.ID, site.PlayerUpdate{SkinImage: []byte(picture)})
		refused(t, err, http.StatusUnsupportedMediaType, "image_type_invalid")
	}
	header := http.Header{"X-Forwarded-Host": {strings.TrimPrefix(trap.URL, "http://")},
		"X-Original-Url": {trap.URL + "/original"}}
	send(t, newVisitor(), site.Request{Path: "/stats", Header: header})
	trap.Close() // waits for requests under way
	if len(asked) > 0 {
		t.Errorf("somebody went to %v", asked)
	}
}

// Misconfiguration: other sites' pages read nothing of what a visitor may, and errors say nothing of the inside.
func TestAPI_other_origins(t *testing.T) {
	t.Parallel()
	v := newPlayer(t)
	for _, origin := range []string{"https://evil.example", "null", "http://localhost"} {
		for _, r := range []site.Request{
			{Path: "/stats"}, {Path: "/auth/refresh-token"}, {Path: "/players/" + v.Player.ID}, {Method: http.MethodOptions,
				Path: "/maps/submit"},
		} {
			r.Header = http.Header{"Origin": {origin}, "Access-Control-Request-Method": {"POST"},
				"Access-Control-Request-Headers": {"authorization"}}
			answer := send(t, v, r)
			for name := range answer.Header {
				if strings.HasPrefix(name, "Access-Control-Allow-") {
					t.Errorf("%s from %s: %s: %s", r.Path, origin, name, answer.Header.Get(name))
				}
			}
		}
	}
	if err := v.Refresh(t.Context()); err != nil {
		t.Errorf("another site's calls have logged the visitor out: %v", err)
	}
}

func TestAPI_error_messages(t *testing.T) {
	t.Parallel()
	inside := []string{"goroutine", ".go:", "panic", "pgx", "SQLSTATE", "postgres", "select ", "nats:", "redis", "minio",
		"127.0.0.1", "dial tcp", "/root", "capzone.dev"}
	long := strings.Repeat("a", 5000)
	for _, path := range []string{
		"/maps/search?page=99999999999999999999", "/maps/search?limit=-1", "/maps/search?sortBy=name%3Bdrop%20table%20maps",
		"/maps/search?name=" + long, "/maps/search?name=%FF%00",
		"/maps/not-a-uuid", "/records?map=%27%20or%201%3D1--", "/records?offset=1e9", "/records/%2e%2e%2f",
		"/players/search?sortBy=password", "/players/%00",
		"/download/replays/x", "/auth/status?sessionId=" + long[:500],
	} {
		answer := send(t, newVisitor(), site.Request{Path: path})
		if answer.Status >= http.StatusInternalServerError {
			t.Errorf("%.60s: %d %s", path, answer.Status, answer.Body)
		}
		if answer.Status < http.StatusBadRequest {
			continue
		}
		for _, word := range inside {
			if strings.Contains(strings.ToLower(string(answer.Body)), strings.ToLower(word)) {
				t.Errorf("%.60s says %q: %s", path, word, answer.Body)
			}
		}
		if answer.Header.Get("Server") != "" || answer.Header.Get("X-Powered-By") != "" {
			t.Errorf("%.60s names its server: %v", path, answer.Header)
		}
	}
}
