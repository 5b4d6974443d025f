package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/notifications/internal/httpapi"
)

// now is when the facts of the tests happened.
var now = time.Now().UTC().Truncate(time.Millisecond)

// inbox returns the groups of a player's inbox.
func (b *bundle) inbox(by event.PlayerState, query string) []httpapi.InboxGroup {
	b.t.Helper()
	a := b.get(by, "/inbox"+query)
	if a.Status != http.StatusOK {
		b.t.Fatalf("GET /inbox%s: %d %s", query, a.Status, a.Raw)
	}
	return servicetest.Data[[]httpapi.InboxGroup](b.t, a)
}

func (b *bundle) unread(by event.PlayerState) int {
	b.t.Helper()
	return servicetest.Data[httpapi.InboxCount](b.t, b.get(by, "/inbox/count")).Unread
}

// submitted returns the fact of a personal best.
func submitted(m event.MapState, by event.PlayerState) event.RecordSubmitted {
	return event.RecordSubmitted{
		RecordID: newID(), MapID: m.ID, PlayerID: by.ID, FinishTime: 41_267, PersonalBest: true, Rank: 11, At: now,
	}
}

func TestAPI_inbox(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("joe")
	skyline, tower := b.newMap("Skyline Run", ann), b.newMap("Tower", ann)
	last := submitted(tower, joe)
	for _, fact := range []event.Fact{submitted(skyline, bob), submitted(skyline, joe), submitted(tower, bob), last} {
		b.publishFact(fact)
	}
	onTower := httpapi.InboxGroup{
		UnderscoreId: "4", Kind: httpapi.RecordOnMyMap, Map: mapRef(tower), RecordId: &last.RecordID,
		FinishTime: new(int64(41_267)), Count: 2, ActorCount: 2, At: httpserve.TimeText(now),
		Actors: []httpapi.PlayerRef{playerRef(joe), playerRef(bob)},
		Link:   &httpapi.InboxLink{Kind: httpapi.LinkRecord, Id: &last.RecordID},
	}
	page := b.get(ann, "/inbox?limit=1")
	names := cmpopts.IgnoreFields(httpapi.PlayerRef{}, "Name", "SkinColor") // no copies of the players
	groups := servicetest.Data[[]httpapi.InboxGroup](t, page)
	if diff := cmp.Diff([]httpapi.InboxGroup{onTower}, groups, names); diff != "" ||
		!strings.Contains(string(page.Raw), `"next":"4"`) {
		t.Errorf("newest group (-want +got):\n%s\n%s", diff, page.Raw)
	}
	if more := b.get(ann, "/inbox?before=4"); !strings.Contains(string(more.Raw), `"_id":"2"`) ||
		!strings.Contains(string(more.Raw), `"next":null`) {
		t.Errorf("the next page has %s", more.Raw)
	}
	if got := b.inbox(ann, "?kind=passed"); len(got) != 0 {
		t.Errorf("of another kind: %+v", got)
	}

	read := func(body any) int {
		t.Helper()
		a := b.do(ann, http.MethodPost, "/inbox/read", body)
		if a.Status != http.StatusOK {
			t.Fatalf("%v: %d %s", body, a.Status, a.Raw)
		}
		return servicetest.Data[httpapi.InboxCount](t, a).Unread
	}
	if n := b.unread(ann); n != 2 {
		t.Errorf("%d groups are unread at first, want 2", n)
	}
	if n := read(map[string]string{"group": "4"}); n != 1 {
		t.Errorf("%d groups are unread after one was read, want 1", n)
	}
	if got := b.inbox(ann, "?unread=true"); len(got) != 1 || got[0].UnderscoreId != "2" {
		t.Errorf("unread are %+v", got)
	}
	if n := read(map[string]string{"through": "4"}); n != 0 {
		t.Errorf("%d groups are unread after all were read", n)
	}
}

func TestAPI_settings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	type setting struct {
		Kind     string `json:"kind"`
		Delivery string `json:"delivery"`
	}
	read := func(a servicetest.Answer) []setting { return servicetest.Data[[]setting](t, a) }
	want := []setting{
		{"record_lost", "inbox"}, {"record_regained", "inbox"}, {"passed", "inbox"}, {"record_on_my_map", "inbox"},
		{"followed_record", "inbox"}, {"followed_map_record", "inbox"}, {"map_new_version", "inbox"},
		{"report_decided", "inbox"}, {"moderated", "inbox"}, {"appeal_answered", "inbox"},
		{"webhook_off", "inbox"},
	}
	require.Equal(t, "at first", want, read(b.get(ann, "/inbox/settings")))
	want[0].Delivery, want[3].Delivery = "browser", "off"
	chosen := map[string]any{"settings": []setting{want[3], want[0]}}
	require.Equal(t, "answered", want, read(b.do(ann, http.MethodPut, "/inbox/settings", chosen)))
	require.Equal(t, "stored", want, read(b.get(ann, "/inbox/settings")))
	b.publishFact(submitted(b.newMap("Skyline Run", ann), bob))
	if got := b.inbox(ann, ""); len(got) != 0 {
		t.Errorf("told of %+v, which is switched off", got)
	}
}
