package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

func TestAPI_edit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, moderator := b.Players.player("cloudstep"), b.Players.player("mod", access.Moderator)
	m := b.submitted(b.submissionOf(author, 1000, "Skyline Run", "cloudstep"))
	edited := servicetest.Data[wireMap](t, b.edit(author, m.ID, `"description": "Higher.", "tags": ["Tall"]`))
	if edited.Description != "Higher." || !cmp.Equal(edited.Tags, []string{"tall"}) || edited.ImageURL != m.ImageURL {
		t.Errorf("edited to %+v", edited)
	}
	b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 2 })
	fact := servicetest.AwaitFact[event.MapEdited](b.Servers, event.MapEditedSubject)

	const stale = `{"updatedAt": "2026-01-01T00:00:00Z", "description": "x"}`
	for name, tt := range map[string]struct {
		answer servicetest.Answer
		status int
		code   string
	}{
		"an old time": {b.patch(author, m.ID, stale, nil), http.StatusConflict, "map_changed"},
		"no time": {b.patch(author, m.ID, `{"description": "x"}`, nil), http.StatusUnprocessableEntity,
			"metadata_refused"},
		"a time of words": {b.patch(author, m.ID, `{"updatedAt": "now"}`, nil), http.StatusBadRequest, "metadata_malformed"},
		"no JSON":         {b.patch(author, m.ID, `{`, nil), http.StatusBadRequest, "metadata_malformed"},
		"nothing":         {b.patch(author, m.ID, ``, nil), http.StatusBadRequest, "nothing_to_change"},
		"no map":          {b.patch(author, "x", stale, nil), http.StatusNotFound, "map_unknown"},
		"no token": {b.do(http.MethodGet, "/api/v1/maps/"+m.ID+"/edits", nil), http.StatusUnauthorized,
			"token_missing"},
	} {
		if tt.answer.Status != tt.status || tt.answer.Code != tt.code {
			t.Errorf("%s: %d %s", name, tt.answer.Status, tt.answer.Raw)
		}
	}

	a := b.patch(author, m.ID, `{"updatedAt": "`+edited.UpdatedAt.Format("2006-01-02T15:04:05.000Z07:00")+`"}`,
		picture(t, 80, 40))
	pictured := servicetest.Data[wireMap](t, a)
	if pictured.ImageURL == m.ImageURL || b.get(pictured.ImageURL).Status != http.StatusOK ||
		b.get(m.ImageURL).Status != http.StatusNotFound {
		t.Errorf("the new picture is %s (%d), the old one %d", pictured.ImageURL, b.get(pictured.ImageURL).Status,
			b.get(m.ImageURL).Status)
	}
	edits := b.edits(author, m.ID)
	if len(edits) != 2 || edits[1].ID != fact.EditID || edits[1].After.Description != "Higher." ||
		!cmp.Equal(edits[0].Fields, []string{"picture"}) || edits[0].Editor.Name != "cloudstep" {
		t.Errorf("edits: %+v", edits)
	}
	undo := func(edit, body string) servicetest.Answer {
		return b.do(http.MethodPost, "/api/v1/maps/"+m.ID+"/edits/"+edit+"/undo", strings.NewReader(body),
			"Content-Type", "application/json", "Authorization", "Bearer "+b.keys.Token(moderator))
	}
	if a := undo(edits[0].ID, `{"reason": " "}`); a.Code != "reason_missing" {
		t.Errorf("without a reason: %d %s", a.Status, a.Raw)
	}
	if a := undo("x", `{"reason": "x"}`); a.Code != "edit_unknown" {
		t.Errorf("no edit: %d %s", a.Status, a.Raw)
	}
	undone := servicetest.Data[wireMap](t, undo(edits[0].ID, `{"reason": "not the map"}`))
	if undone.ImageURL != m.ImageURL || b.get(m.ImageURL).Status != http.StatusOK ||
		b.get(pictured.ImageURL).Status != http.StatusNotFound {
		t.Errorf("undone to %s", undone.ImageURL)
	}
	if a := undo(edits[0].ID, `{"reason": "again"}`); a.Code != "edit_overwritten" {
		t.Errorf("undone twice: %d %s", a.Status, a.Raw)
	}
	// Records are asked for medals, and do not run here.
	if a := b.edit(author, m.ID, `"medalTimes": {"gold": 44000}`); a.Status != http.StatusServiceUnavailable {
		t.Errorf("medals without the records service: %d %s", a.Status, a.Raw)
	}
}
