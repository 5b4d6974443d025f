package app_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

type wireStatistics struct {
	Finished struct{ Total, Of int }
	Modes    []struct {
		Mode         *string
		Finished, Of int
		Medals       map[string]int
	}
	WorldRecords struct {
		Now, Ever    int
		LongestReign *struct {
			Map          struct{ Name string }
			Record       string
			From         time.Time
			Until        *time.Time
			Milliseconds int64
		}
	}
	LostWorldRecords []struct {
		Map                      struct{ Name string }
		Record                   string
		FinishTime, Milliseconds int64
		From, Until              time.Time
		BrokenBy                 struct {
			Record     string
			Player     struct{ Name string }
			FinishTime int64
		}
	}
	BestPlacements []struct {
		Map                  struct{ Name string }
		Mode                 *string
		Rank, Of, FinishTime int64
		Record               string
	}
	Activity []struct {
		Month   string
		Records int
	}
}

// String describes everything but times and ids.
func (s wireStatistics) String() string {
	text := fmt.Sprintf("%d of %d;", s.Finished.Total, s.Finished.Of)
	for _, m := range s.Modes {
		text += fmt.Sprintf(" %s %d of %d %v;", orNone(m.Mode), m.Finished, m.Of, m.Medals)
	}
	text += fmt.Sprintf(" world records %d, %d", s.WorldRecords.Now, s.WorldRecords.Ever)
	if reign := s.WorldRecords.LongestReign; reign != nil {
		text += fmt.Sprintf(", %s, ended: %t", reign.Map.Name, reign.Until != nil)
	}
	for _, l := range s.LostWorldRecords {
		text += fmt.Sprintf(", lost %s in %d to %s in %d", l.Map.Name, l.FinishTime, l.BrokenBy.Player.Name,
			l.BrokenBy.FinishTime)
	}
	for _, p := range s.BestPlacements {
		text += fmt.Sprintf("; %s %s %d of %d in %d", p.Map.Name, orNone(p.Mode), p.Rank, p.Of, p.FinishTime)
	}
	return fmt.Sprintf("%s; %d months, last %d", text, len(s.Activity), s.Activity[len(s.Activity)-1].Records)
}

func TestAPI_statistics(t *testing.T) {
	b := setup(t)
	ann, bob := b.newPlayer("Ann"), b.newPlayer("Bob")
	skyline, garden, cellar := b.newMap("Skyline Run"), b.newMap("Garden"), b.newMap("Cellar")
	b.get("/api/v1/records?map=" + cellar.ID) // the copy arrives with the first question
	statistics := func(id string) wireStatistics {
		t.Helper()
		return servicetest.Data[wireStatistics](t, b.get("/api/v1/players/"+id+"/statistics"))
	}
	first := b.submitted(ann, skyline, 45_000)
	second := b.submitted(bob, skyline, 44_000)
	best := b.submitted(ann, garden, 39_000)

	answer := b.get("/api/v1/players/" + ann.ID + "/statistics")
	got := servicetest.Data[wireStatistics](t, answer)
	const want = "2 of 3; Classic 2 of 3 map[author:1 bronze:0 gold:0 none:0 silver:1]; " +
		"world records 1, 2, %s, ended: %t, lost Skyline Run in 45000 to Bob in 44000; Garden Classic 1 of 1 in 39000; Skyline Run Classic 2 of 2 in 45000; " +
		"24 months, last 2"
	reign := got.WorldRecords.LongestReign
	if diff := cmp.Diff(fmt.Sprintf(want, reign.Map.Name, reign.Until != nil), got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if ended := reign.Record == first.Record.ID; !ended && reign.Record != best.Record.ID ||
		ended && reign.Milliseconds != reign.Until.Sub(reign.From).Milliseconds() {
		t.Errorf("longest reign %+v", reign)
	}
	if l := got.LostWorldRecords[0]; l.Record != first.Record.ID || l.BrokenBy.Record != second.Record.ID ||
		l.Milliseconds != l.Until.Sub(l.From).Milliseconds() {
		t.Errorf("lost %+v", l)
	}
	keys := fmt.Sprintf("player:%s player:%s maps maps-by-records player:%s", ann.ID, ann.ID, bob.ID)
	if got := answer.Header.Get("Surrogate-Key"); got != keys {
		t.Errorf("Surrogate-Key %q, want %q", got, keys)
	}
	_, err := b.command("remove", best.Record.ID, "a test")
	require.NoError(t, err)
	if diff := cmp.Diff("1 of 3; Classic 1 of 3 map[author:0 bronze:0 gold:0 none:0 silver:1]; "+
		"world records 0, 1, Skyline Run, ended: true, lost Skyline Run in 45000 to Bob in 44000; Skyline Run Classic 2 of 2 in 45000; 24 months, last 1",
		statistics(ann.ID).String()); diff != "" {
		t.Errorf("after a removal (-want +got):\n%s", diff)
	}
	merged := event.PlayerState{ID: bob.ID, Version: 2, Removed: true, MergedInto: ann.ID}
	require.NoError(t, b.Publish(t.Context(), merged))
	const afterMerge = "1 of 3; Classic 1 of 3 map[author:0 bronze:0 gold:0 none:0 silver:1]; " +
		"world records 1, 1, Skyline Run, ended: false; Skyline Run Classic 1 of 1 in 44000; 24 months, last 2"
	eventually.WaitFor(t, "the merged player's record", func() bool {
		return statistics(bob.ID).String() == afterMerge && statistics(ann.ID).String() == afterMerge
	})
	for _, path := range []string{"statistics", "improvements", "improvements/" + garden.ID} {
		for _, id := range []string{newID(), "nobody"} {
			a := b.get("/api/v1/players/" + id + "/" + path)
			if a.Status != http.StatusNotFound || a.Code != "player_unknown" {
				t.Errorf("%s of %s: %d %s", path, id, a.Status, a.Raw)
			}
		}
	}
}

func TestAPI_improvements(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann := b.newPlayer("Ann")
	skyline, garden := b.newMap("Skyline Run"), b.newMap("Garden")
	for _, finishTime := range []int{50_000, 51_000, 47_000, 45_000} {
		b.submitted(ann, skyline, finishTime)
	}
	b.submitted(ann, garden, 60_000)
	b.submitted(ann, garden, 61_000)
	path := "/api/v1/players/" + ann.ID + "/improvements"

	type improvedMap struct {
		Map                         struct{ Name string }
		MapVersion                  int
		Mode                        string
		FirstFinishTime, ImprovedBy int64
		Best                        struct{ FinishTime int64 }
		Improvements                int
	}
	a := b.get(path)
	want := improvedMap{MapVersion: 1, Mode: "Classic", FirstFinishTime: 50_000, ImprovedBy: 5000, Improvements: 2}
	want.Map.Name, want.Best.FinishTime = "Skyline Run", 45_000
	if diff := cmp.Diff([]improvedMap{want}, servicetest.Data[[]improvedMap](t, a)); diff != "" {
		t.Errorf("improved maps (-want +got):\n%s", diff)
	}
	page := map[string]int64{"total": 1, "offset": 0, "limit": 10}
	if diff := cmp.Diff(page, a.Pagination); diff != "" {
		t.Errorf("pagination (-want +got):\n%s", diff)
	}
	a = b.get(path + "?offset=1&limit=5")
	if got := servicetest.Data[[]improvedMap](t, a); len(got) != 0 || a.Pagination["total"] != 1 {
		t.Errorf("past the end: %v %v", got, a.Pagination)
	}
	if a := b.get(path + "?limit=101"); a.Status != http.StatusBadRequest || a.Code != "page_invalid" {
		t.Errorf("101 maps: %d %s", a.Status, a.Raw)
	}

	type improvement struct {
		FinishTime int64
		ImprovedBy *int64
	}
	of := func(mapID string) []improvement {
		return servicetest.Data[[]improvement](t, b.get(path+"/"+mapID))
	}
	series := []improvement{{50_000, nil}, {47_000, new(int64(3000))}, {45_000, new(int64(2000))}}
	if diff := cmp.Diff(series, of(skyline.ID)); diff != "" {
		t.Errorf("improvements (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]improvement{}, of(b.newMap("Cellar").ID), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("improvements on a map that is not finished (-want +got):\n%s", diff)
	}
	if a := b.get(path + "/" + newID()); a.Status != http.StatusNotFound || a.Code != "map_unknown" {
		t.Errorf("unknown map: %d %s", a.Status, a.Raw)
	}
}

func TestAPI_next_above(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	first, second := b.submitted(ann, m, 44_000), b.submitted(bob, m, 45_000)
	slower := b.submitted(bob, m, 46_000)
	type details struct {
		NextAbove *struct {
			ID                    string `json:"_id"`
			Player                struct{ Name string }
			FinishTime, Rank, Gap int64
		}
	}
	for name, tt := range map[string]struct{ id, want string }{
		"first":            {first.Record.ID, "<nil>"},
		"second":           {second.Record.ID, fmt.Sprintf("&{%s {Ann} 44000 1 1000}", first.Record.ID)},
		"no personal best": {slower.Record.ID, "<nil>"},
	} {
		got := servicetest.Data[details](t, b.get("/api/v1/records/"+tt.id)).NextAbove
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %+v, want %s", name, got, tt.want)
		}
	}
}
