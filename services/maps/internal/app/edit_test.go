package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/httpapi"
)

func TestAPI_edit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, moderator := b.Players.player("cloudstep"), b.Players.player("mod", access.Moderator)
	m := b.submitted(b.submissionOf(author, 1000, "Skyline Run", "cloudstep"))
	id := m.UnderscoreId
	edited := servicetest.Data[httpapi.ParkourMap](t, b.edit(author, id, `"description": "Higher.", "tags": ["Tall"]`))
	if edited.Description != "Higher." || !cmp.Equal(edited.Tags, []string{"tall"}) || edited.ImageUrl != m.ImageUrl {
		t.Errorf("edited to %+v", edited)
	}
	b.awaitState(id, func(s event.MapState) bool { return s.Version == 2 })
	fact := servicetest.AwaitFact[event.MapEdited](b.Servers, event.MapEditedSubject)

	const stale = `{"updatedAt": "2026-01-01T00:00:00Z", "description": "x"}`
	for name, tt := range map[string]struct {
		answer servicetest.Answer
		status int
		code   string
	}{
		"an old time":     {b.patch(author, id, stale, nil), http.StatusConflict, "map_changed"},
		"no time":         {b.patch(author, id, `{"tags": []}`, nil), http.StatusUnprocessableEntity, "metadata_refused"},
		"a time of words": {b.patch(author, id, `{"updatedAt": "now"}`, nil), http.StatusBadRequest, "metadata_malformed"},
		"no JSON":         {b.patch(author, id, `{`, nil), http.StatusBadRequest, "metadata_malformed"},
		"nothing":         {b.patch(author, id, ``, nil), http.StatusBadRequest, "nothing_to_change"},
		"no map":          {b.patch(author, "x", stale, nil), http.StatusNotFound, "map_unknown"},
		"no token":        {b.do(http.MethodGet, "/api/v1/maps/"+id+"/edits", nil), http.StatusUnauthorized, "token_missing"},
	} {
		if tt.answer.Status != tt.status || tt.answer.Code != tt.code {
			t.Errorf("%s: %d %s", name, tt.answer.Status, tt.answer.Raw)
		}
	}

	a := b.patch(author, id, `{"updatedAt": "`+edited.UpdatedAt+`"}`, picture(t, 80, 40))
	pictured := servicetest.Data[httpapi.ParkourMap](t, a)
	if pictured.ImageUrl == m.ImageUrl || b.get(pictured.ImageUrl).Status != http.StatusOK ||
		b.get(m.ImageUrl).Status != http.StatusNotFound {
		t.Errorf("the new picture is %s (%d), the old one %d", pictured.ImageUrl, b.get(pictured.ImageUrl).Status,
			b.get(m.ImageUrl).Status)
	}
	edits := b.edits(author, id)
	if len(edits) != 2 || edits[1].UnderscoreId != fact.EditID || edits[1].After.Description != "Higher." ||
		!cmp.Equal(edits[0].Fields, []httpapi.MapEditFields{"picture"}) || edits[0].Editor.Name != "cloudstep" {
		t.Errorf("edits: %+v", edits)
	}
	undo := func(edit, body string) servicetest.Answer {
		return b.do(http.MethodPost, "/api/v1/maps/"+id+"/edits/"+edit+"/undo", strings.NewReader(body),
			"Content-Type", "application/json", "Authorization", "Bearer "+b.keys.Token(moderator))
	}
	if a := undo(edits[0].UnderscoreId, `{"reason": " "}`); a.Code != "reason_missing" {
		t.Errorf("without a reason: %d %s", a.Status, a.Raw)
	}
	if a := undo("x", `{"reason": "x"}`); a.Code != "edit_unknown" {
		t.Errorf("no edit: %d %s", a.Status, a.Raw)
	}
	undone := servicetest.Data[httpapi.ParkourMap](t, undo(edits[0].UnderscoreId, `{"reason": "not the map"}`))
	if undone.ImageUrl != m.ImageUrl || b.get(m.ImageUrl).Status != http.StatusOK ||
		b.get(pictured.ImageUrl).Status != http.StatusNotFound {
		t.Errorf("undone to %s", undone.ImageUrl)
	}
	if a := undo(edits[0].UnderscoreId, `{"reason": "again"}`); a.Code != "edit_overwritten" {
		t.Errorf("undone twice: %d %s", a.Status, a.Raw)
	}
	// Records are asked for medals, and do not run here.
	if a := b.edit(author, id, `"medalTimes": {"gold": 44000}`); a.Status != http.StatusServiceUnavailable {
		t.Errorf("medals without the records service: %d %s", a.Status, a.Raw)
	}
}
