package app_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

// now is when the facts of the tests happened.
var now = time.Now().UTC().Truncate(time.Millisecond)

// wireGroup is a group of the inbox in the API.
type wireGroup struct {
	ID           string       `json:"_id"`
	Kind         string       `json:"kind"`
	Map          *wireMap     `json:"map"`
	RecordID     *string      `json:"recordId"`
	FinishTime   *int64       `json:"finishTime"`
	DecisionID   string       `json:"decisionId"`
	From         *int         `json:"from"`
	To           *int         `json:"to"`
	PointsLost   *float64     `json:"pointsLost"`
	Count        int          `json:"count"`
	Actors       []wirePlayer `json:"actors"`
	ActorCount   int          `json:"actorCount"`
	At           time.Time    `json:"at"`
	Read         bool         `json:"read"`
	RemovedSince bool         `json:"removedSince"`
}

// inbox returns the groups of a player's inbox.
func (b *bundle) inbox(by event.PlayerState, query string) []wireGroup {
	b.t.Helper()
	a := b.get(by, "/inbox"+query)
	if a.Status != http.StatusOK {
		b.t.Fatalf("GET /inbox%s: %d %s", query, a.Status, a.Raw)
	}
	return servicetest.Data[[]wireGroup](b.t, a)
}

// kinds returns the kinds of the groups of a player's inbox, the newest first.
func (b *bundle) kinds(by event.PlayerState) []string {
	b.t.Helper()
	kinds := []string{}
	for _, g := range b.inbox(by, "") {
		kinds = append(kinds, g.Kind)
	}
	return kinds
}

// added returns all NotificationsAdded that were committed, in the order of kinds and receivers.
func (b *bundle) added() []event.NotificationsAdded {
	b.t.Helper()
	added := outboxtest.Facts[event.NotificationsAdded](b.t, b.Pool)
	slices.SortFunc(added, func(a, b event.NotificationsAdded) int {
		return slices.Compare(append([]string{a.Kind}, a.PlayerIDs...), append([]string{b.Kind}, b.PlayerIDs...))
	})
	return added
}

func (b *bundle) unread(by event.PlayerState) int {
	b.t.Helper()
	return servicetest.Data[struct{ Unread int }](b.t, b.get(by, "/inbox/count")).Unread
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
		b.tell(fact)
	}
	onTower := wireGroup{
		ID: "4", Kind: "record_on_my_map", Map: &wireMap{tower.ID, "Tower"}, RecordID: &last.RecordID,
		FinishTime: new(int64(41_267)), Count: 2, ActorCount: 2, At: now,
		Actors: []wirePlayer{{ID: joe.ID}, {ID: bob.ID}},
	}
	names := cmpopts.IgnoreFields(wirePlayer{}, "Name", "SkinColor")
	if diff := cmp.Diff(onTower, b.inbox(ann, "?limit=1")[0], names); diff != "" {
		t.Errorf("newest group (-want +got):\n%s", diff)
	}
	if more := b.inbox(ann, "?before=4"); len(more) != 1 || more[0].ID != "2" || more[0].Map.ID != skyline.ID {
		t.Errorf("the next page has %+v", more)
	}
	if got := b.inbox(ann, "?kind=passed"); len(got) != 0 {
		t.Errorf("of another kind: %+v", got)
	}

	read := func(body any) int {
		t.Helper()
		a := b.do(ann, http.MethodPost, "/inbox/read", body)
		if a.Status != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%v: %d %s", body, a.Status, a.Raw)
		}
		return servicetest.Data[struct{ Unread int }](t, a).Unread
	}
	if n := b.unread(ann); n != 2 {
		t.Errorf("%d groups are unread at first, want 2", n)
	}
	for range 2 {
		if n := read(map[string]string{"group": "4"}); n != 1 {
			t.Errorf("%d groups are unread after one was read, want 1", n)
		}
	}
	if got := b.inbox(ann, "?unread=true"); len(got) != 1 || got[0].ID != "2" {
		t.Errorf("unread are %+v", got)
	}
	b.tell(submitted(tower, bob)) // a group of its own, since the other one was read
	if n := read(map[string]string{"through": "4"}); n != 1 {
		t.Errorf("%d groups are unread after all but the newest were read, want 1", n)
	}
	if got := b.inbox(ann, "?unread=true"); len(got) != 1 || got[0].ID != "5" || got[0].Count != 1 {
		t.Errorf("unread are %+v", got)
	}
	if n := b.unread(bob); n != 0 || len(b.inbox(bob, "")) != 0 {
		t.Errorf("the inbox of another player has %d", n)
	}
}

func TestAPI_inbox_pages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	for _, name := range []string{"one", "two", "three"} {
		b.tell(submitted(b.newMap(name, ann), bob))
	}
	type page struct {
		Data       []struct{ Map wireMap }
		Pagination struct {
			Limit int
			Next  *string
		}
	}
	var names []string
	path := "/inbox?limit=2"
	for range 2 {
		got := decode[page](t, b.get(ann, path))
		for _, g := range got.Data {
			names = append(names, g.Map.Name)
		}
		if got.Pagination.Limit != 2 || (got.Pagination.Next == nil) != (len(names) == 3) {
			t.Fatalf("after %q the page is %+v", names, got.Pagination)
		}
		if got.Pagination.Next != nil {
			path = "/inbox?limit=2&before=" + *got.Pagination.Next
		}
	}
	if diff := cmp.Diff([]string{"three", "two", "one"}, names); diff != "" {
		t.Errorf("maps (-want +got):\n%s", diff)
	}
}

func TestAPI_settings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", ann)
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
	if diff := cmp.Diff(want, read(b.get(ann, "/inbox/settings"))); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	want[0].Delivery, want[3].Delivery = "browser", "off"
	chosen := map[string]any{"settings": []setting{want[3], want[0]}}
	if diff := cmp.Diff(want, read(b.do(ann, http.MethodPut, "/inbox/settings", chosen))); diff != "" {
		t.Errorf("answered (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, read(b.get(ann, "/inbox/settings"))); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	b.put(ann, "/follows/players/"+bob.ID)
	b.tell(submitted(m, bob))
	if got := b.only(ann); got.Kind != "followed_record" || got.Count != 1 {
		t.Errorf("told %+v, not by the next kind that is on", got)
	}
	b.do(ann, http.MethodDelete, "/follows/players/"+bob.ID, nil)
	b.tell(submitted(m, bob))
	if got := b.only(ann); got.Kind != "followed_record" || got.Count != 1 || len(b.added()) != 1 {
		t.Errorf("told of %+v, which is switched off, and published %+v", got, b.added())
	}
}
