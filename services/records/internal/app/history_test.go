package app_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

// wireDetails is what the API returns of one record besides wireRecord.
type wireDetails struct {
	RankAtSubmission    *int64
	PreviousBest        *int64
	PreviousWorldRecord *int64
	WorldRecord         *struct {
		ID         string `json:"_id"`
		FinishTime int64
		Player     struct{ Name string }
	}
	MapVersion    int
	NewestVersion bool
}

// wireHistory is the history of a map as the API returns it.
type wireHistory struct {
	Steps []struct {
		ID         string `json:"_id"`
		FinishTime int64
		Player     struct{ Name string }
		From       time.Time
		Until      *time.Time
	}
	Holders []struct {
		Player  struct{ Name string }
		Reigns  int
		HeldFor int64
		Current bool
	}
}

func TestAPI_details(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	b.submitted(ann, m, 50_000)
	second := b.submitted(bob, m, 45_000)
	best := b.submitted(ann, m, 41_000)
	got := servicetest.Data[wireDetails](t, b.get("/api/v1/records/"+second.Record.ID))
	if *got.RankAtSubmission != 1 || got.PreviousBest != nil || *got.PreviousWorldRecord != 50_000 ||
		got.WorldRecord.ID != best.Record.ID || got.WorldRecord.FinishTime != 41_000 ||
		got.WorldRecord.Player.Name != "Ann" || got.MapVersion != 1 || !got.NewestVersion {
		t.Errorf("details %+v", got)
	}
	got = servicetest.Data[wireDetails](t, b.get("/api/v1/records/"+best.Record.ID))
	if *got.RankAtSubmission != 1 || *got.PreviousBest != 50_000 || *got.PreviousWorldRecord != 45_000 {
		t.Errorf("details %+v", got)
	}
}

func TestAPI_history(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	empty := servicetest.Data[map[string]json.RawMessage](t, b.get("/api/v1/maps/"+m.ID+"/history"))
	if diff := cmp.Diff(map[string]json.RawMessage{"steps": []byte("[]"), "holders": []byte("[]")}, empty); diff != "" {
		t.Errorf("without records (-want +got):\n%s", diff)
	}
	first := b.submitted(ann, m, 50_000)
	b.submitted(bob, m, 51_000)
	last := b.submitted(bob, m, 45_000)

	a := b.get("/api/v1/maps/" + m.ID + "/history")
	got := servicetest.Data[wireHistory](t, a)
	if len(got.Steps) != 2 || got.Steps[0].ID != first.Record.ID || got.Steps[1].ID != last.Record.ID ||
		!got.Steps[0].Until.Equal(got.Steps[1].From) || got.Steps[1].Until != nil || got.Steps[1].Player.Name != "Bob" {
		t.Errorf("steps %+v", got.Steps)
	}
	held := got.Steps[1].From.Sub(got.Steps[0].From).Milliseconds()
	if len(got.Holders) != 2 || !got.Holders[0].Current || got.Holders[0].Player.Name != "Bob" ||
		got.Holders[1].Reigns != 1 || got.Holders[1].HeldFor != held {
		t.Errorf("holders %+v", got.Holders)
	}
	want := "player:" + ann.ID + " player:" + bob.ID + " map:" + m.ID
	if keys := a.Header.Get(httpserve.SurrogateKeyHeader); keys != want {
		t.Errorf("surrogate keys %q, want %q", keys, want)
	}

	type listed struct {
		ID                  string `json:"_id"`
		PreviousWorldRecord *int64
	}
	list := servicetest.Data[[]listed](t, b.get("/api/v1/records/world-records?limit=5"))
	if len(list) != 2 || list[0].ID != last.Record.ID || *list[0].PreviousWorldRecord != 50_000 ||
		list[1].PreviousWorldRecord != nil {
		t.Errorf("newest world records %+v", list)
	}
	for path, code := range map[string]string{
		"/maps/skyline/history":            "map_unknown",
		"/maps/" + newID() + "/history":    "map_unknown",
		"/records/world-records?limit=101": "page_invalid",
		"/records/world-records?limit=0":   "page_invalid",
	} {
		if a := b.get("/api/v1" + path); a.Code != code {
			t.Errorf("%s: %d %s, want %s", path, a.Status, a.Code, code)
		}
	}
}

func TestAPI_verification(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	rec := b.submitted(ann, m, 50_000)
	path := "/api/v1/records/" + rec.Record.ID + "/verification"
	type check struct{ Name, Result, Sentence string }
	got := servicetest.Data[struct {
		CheckedAt          time.Time
		Checks, NotChecked []check
	}](t, b.get(path))
	results := map[string]string{}
	for _, c := range append(got.Checks, got.NotChecked...) {
		results[c.Name] = c.Result
		if c.Sentence == "" {
			t.Errorf("%s has no sentence", c.Name)
		}
	}
	want := map[string]string{
		"read_by_server": "passed", "own_replay": "passed", "map_unchanged": "passed", "whole_frames": "passed",
		"file_not_submitted_before": "passed", "finish_not_submitted_before": "passed", "time_stamp_plausible": "passed",
		"finish_unambiguous": "passed", "finish_time_given": "passed", "labels_agree": "passed", "validated": "passed",
		"first_record_of_author_or_validator": "not_applicable", "simulation": "",
	}
	if diff := cmp.Diff(want, results); diff != "" || !got.CheckedAt.Equal(b.leaderboard(m)[0].CreatedAt) {
		t.Errorf("checked at %v; results (-want +got):\n%s", got.CheckedAt, diff)
	}
	if _, err := b.Pool.Exec(t.Context(), `update records set checks_hash = null`); err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]string{
		path: record.ErrVerificationMissing.Code,
		"/api/v1/records/" + newID() + "/verification": record.ErrRecordUnknown.Code,
		"/api/v1/records/skyline/verification":         record.ErrRecordUnknown.Code,
	} {
		if a := b.get(path); a.Status != http.StatusNotFound || a.Code != code {
			t.Errorf("%s: %d %s, want %s", path, a.Status, a.Code, code)
		}
	}
}
