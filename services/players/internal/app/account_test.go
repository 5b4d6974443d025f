package app_test

import (
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/language"
	"capzone.dev/services/players/internal/httpapi"
)

func TestAPI_account(t *testing.T) {
	b := setup(t)
	who := b.registerWith(event.RegisterPlayer{Name: "cloudstep", Level: 12})
	send := func(method, body string) servicetest.Answer {
		return b.do(method, "/api/v1/me/account", strings.NewReader(body), "Content-Type", "application/json",
			"Authorization", "Bearer "+b.keys.Token(who))
	}
	expect := func(what string, a servicetest.Answer, want language.Language) {
		t.Helper()
		var got language.Language
		if chosen := servicetest.Data[httpapi.OwnAccount](t, a).Language; chosen != nil {
			got = language.Language(*chosen)
		}
		if a.Status != http.StatusOK || got != want {
			t.Errorf("%s: %d %s, want %q", what, a.Status, a.Raw, want)
		}
	}
	expect("nothing chosen", send(http.MethodGet, ""), "")
	for body, code := range map[string]string{
		`{}`: "language_unknown", `{"language": "fr"}`: "language_unknown", `{"language": 7}`: "malformed_request",
	} {
		if a := send(http.MethodPatch, body); a.Code != code {
			t.Errorf("%s: %d %s, want %s", body, a.Status, a.Raw, code)
		}
	}
	for _, l := range language.All() {
		body := `{"language": "` + string(l) + `"}`
		expect("chosen", send(http.MethodPatch, body), l)
		expect("stored", send(http.MethodGet, ""), l)
	}
	if a := b.get("/api/v1/players/" + who.ID); strings.Contains(string(a.Raw), "language") {
		t.Errorf("the public profile: %s", a.Raw)
	}
	if now := b.awaitState(who.ID, func(event.PlayerState) bool { return true }); now.Version != who.Version {
		t.Errorf("the public state has changed: %+v", now)
	}
	if things := servicetest.Export(t, b.URL, b.keys.Token(who)); !strings.Contains(things["player"][0], `"language":"pl"`) {
		t.Errorf("the export has %v", things)
	}
	operator(t, b, "delete", who.ID, "asked by mail")
	for _, method := range []string{http.MethodGet, http.MethodPatch} {
		if a := send(method, `{"language": "de"}`); a.Code != "player_deleted" {
			t.Errorf("%s of a deleted player: %d %s", method, a.Status, a.Raw)
		}
	}
	var kept bool
	row := b.Pool.QueryRow(t.Context(), `select language is not null from players where id = $1`, who.ID)
	if err := row.Scan(&kept); err != nil || kept {
		t.Errorf("a deleted player has a language: %v, %v", kept, err)
	}
}
