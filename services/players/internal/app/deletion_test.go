package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/export"
	"capzone.dev/services/players/internal/httpapi"
)

func TestAPI_deletion(t *testing.T) {
	b := setup(t)
	who := b.registerWith(event.RegisterPlayer{Name: "cloudstep", Level: 12})
	send := func(method, body string) servicetest.Answer {
		return b.do(method, "/api/v1/me/deletion", strings.NewReader(body), "Content-Type", "application/json",
			"Authorization", "Bearer "+b.keys.Token(who))
	}
	none := func() {
		t.Helper()
		a := send(http.MethodGet, "")
		if got := servicetest.Data[httpapi.OwnDeletion](t, a); a.Status != http.StatusOK || got != (httpapi.OwnDeletion{}) {
			t.Errorf("without a deletion: %d %s", a.Status, a.Raw)
		}
	}
	none()
	for body, code := range map[string]string{
		`{}`: "name_differs", `{"name": 7}`: "malformed_request", `x`: "malformed_request",
		`{"name": "cloud"}`: "name_differs",
	} {
		if a := send(http.MethodPost, body); a.Code != code {
			t.Errorf("%s: %d %s, want %s", body, a.Status, a.Raw, code)
		}
	}
	var first httpapi.OwnDeletion
	for i, status := range []int{http.StatusCreated, http.StatusOK} {
		a := send(http.MethodPost, `{"name": "CloudStep "}`)
		got := servicetest.Data[httpapi.OwnDeletion](t, a)
		if a.Status != status || got.ScheduledFor == nil || daysBetween(t, *got.RequestedAt, *got.ScheduledFor) != 14 {
			t.Fatalf("request %d: %d %s", i, a.Status, a.Raw)
		}
		if i == 0 {
			first = got
		} else if *got.ScheduledFor != *first.ScheduledFor {
			t.Errorf("a second request: %s", a.Raw)
		}
	}
	things := servicetest.Export(t, b.URL, b.keys.Token(who))
	if len(things["player"]) != 1 || len(things["deletion"]) != 1 || !strings.Contains(things["player"][0], `"cloudstep"`) {
		t.Errorf("the export has %v", things)
	}
	if a := send(http.MethodDelete, ""); a.Status != http.StatusNoContent {
		t.Errorf("canceled: %d %s", a.Status, a.Raw)
	}
	none()
	avatar := *servicetest.Data[httpapi.Player](t, b.put(who, who.ID, file("skinImage", picture(t, 10, 10)))).SkinImageUrl
	output := operator(t, b, "delete", who.ID, "asked by mail")
	if a := b.get(avatar); a.Status != http.StatusNotFound || a.Code != "file_unknown" {
		t.Errorf("the avatar of a deleted player: %d", a.Status)
	}
	if !strings.Contains(output, "deleted player "+who.ID[32:]) {
		t.Errorf("players delete: %s", output)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if a := send(method, ""); a.Status != http.StatusForbidden || a.Code != "player_deleted" {
			t.Errorf("%s of a deleted player: %d %s", method, a.Status, a.Raw)
		}
	}
	a := b.do(http.MethodGet, export.Path, nil, "Authorization", "Bearer "+b.keys.Token(who))
	if a.Status != http.StatusForbidden || a.Code != "player_deleted" {
		t.Errorf("the export of a deleted player: %d %s", a.Status, a.Raw)
	}
	if p := b.read(who.ID); p.Name != "deleted player "+who.ID[32:] || p.Level != 0 {
		t.Errorf("the profile is %+v", p)
	}
	if output := operator(t, b, "show", who.ID); strings.Contains(output, "cloudstep") {
		t.Errorf("players show: %s", output)
	}
}

func daysBetween(t *testing.T, from, to string) float64 {
	t.Helper()
	var times [2]time.Time
	for i, text := range []string{from, to} {
		require.NoError(t, times[i].UnmarshalText([]byte(text)))
	}
	return times[1].Sub(times[0]).Hours() / 24
}
