package replaycheck_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
	"capzone.dev/game/replaycheck"
)

func TestOfFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*lbreplay.Replay, *replaycheck.Map)
		want   replaycheck.Check // the one that differs from a list in which all passed
	}{
		{"all passed", func(*lbreplay.Replay, *replaycheck.Map) {}, replaycheck.Check{}},
		{"not validated", func(r *lbreplay.Replay, _ *replaycheck.Map) { r.Validated = false },
			failed(replaycheck.Validated, replaycheck.NotValidated)},
		{"a label that disagrees",
			func(r *lbreplay.Replay, _ *replaycheck.Map) {
				r.Disagreements = []lbreplay.Disagreement{{Subject: lbreplay.SubjectMapName}}
			}, failed(replaycheck.LabelsAgree, replaycheck.LabelsDisagree)},
		{"no finish time", func(r *lbreplay.Replay, _ *replaycheck.Map) { r.FinishTime = 0 },
			failed(replaycheck.FinishTimeGiven, replaycheck.FinishTimeMissing)},
		{"a time between two frames", func(r *lbreplay.Replay, _ *replaycheck.Map) { r.FinishTime++ },
			failed(replaycheck.WholeFrames, replaycheck.BetweenFrames)},
		{"no time stamp", func(r *lbreplay.Replay, _ *replaycheck.Map) { r.TimestampMissing = true },
			replaycheck.Check{Name: replaycheck.TimeStampPlausible, Result: replaycheck.NotApplicable}},
		{"an unreadable time stamp",
			func(r *lbreplay.Replay, _ *replaycheck.Map) { r.TimestampFault = lbreplay.TimestampUnreadable },
			failed(replaycheck.TimeStampPlausible, replaycheck.TimeStampUnreadable)},
		{"a time stamp in the future",
			func(r *lbreplay.Replay, _ *replaycheck.Map) { r.TimestampFault = lbreplay.TimestampAhead },
			failed(replaycheck.TimeStampPlausible, replaycheck.TimeStampAhead)},
		{"a time stamp before the game",
			func(r *lbreplay.Replay, _ *replaycheck.Map) { r.TimestampFault = lbreplay.TimestampTooOld },
			failed(replaycheck.TimeStampPlausible, replaycheck.TimeStampTooOld)},
		{"an ambiguous finish", func(_ *lbreplay.Replay, m *replaycheck.Map) { m.FinishIsAmbiguous = true },
			failed(replaycheck.FinishUnambiguous, replaycheck.FinishAmbiguous)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			replay, m := &lbreplay.Replay{Validated: true, FinishTime: racetime.Snap(41_267)}, &replaycheck.Map{}
			tt.change(replay, m)
			var want replaycheck.List
			for _, name := range []replaycheck.Name{
				replaycheck.ReadByServer, replaycheck.Validated, replaycheck.LabelsAgree, replaycheck.FinishTimeGiven,
				replaycheck.WholeFrames, replaycheck.TimeStampPlausible, replaycheck.FinishUnambiguous,
			} {
				check := replaycheck.Check{Name: name, Result: replaycheck.Passed}
				if name == tt.want.Name {
					check = tt.want
				}
				want = append(want, check)
			}
			if diff := cmp.Diff(want, replaycheck.OfFile(replay, m)); diff != "" {
				t.Errorf("checks (-want +got):\n%s", diff)
			}
		})
	}
}

func failed(name replaycheck.Name, failure replaycheck.Failure) replaycheck.Check {
	return replaycheck.Check{Name: name, Result: replaycheck.Failed, Failure: failure}
}

func TestList_Failure(t *testing.T) {
	t.Parallel()
	list := append(replaycheck.OfFile(&lbreplay.Replay{FinishTime: 1}, nil), replaycheck.OfPlayer(false))
	for _, tt := range []struct {
		names []replaycheck.Name
		want  replaycheck.Failure
	}{
		{nil, replaycheck.NoFailure},
		{[]replaycheck.Name{replaycheck.LabelsAgree, replaycheck.TimeStampPlausible}, replaycheck.NoFailure},
		{[]replaycheck.Name{replaycheck.LabelsAgree, replaycheck.ReadByServer}, replaycheck.MapDataMissing},
		// The order of the names decides, not that of the list.
		{[]replaycheck.Name{replaycheck.OwnReplay, replaycheck.Validated}, replaycheck.AnotherPlayers},
		{[]replaycheck.Name{replaycheck.Validated, replaycheck.OwnReplay}, replaycheck.NotValidated},
		{[]replaycheck.Name{replaycheck.MapUnchanged}, replaycheck.NoFailure}, // not in the list
	} {
		if got := list.Failure(tt.names...); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.names, got, tt.want)
		}
	}
}

func TestOfMap(t *testing.T) {
	t.Parallel()
	m := &bonkmap.Map{Name: "Skyline Run", Author: "cloudstep", ID: 912_044, Mode: bonkmap.Classic}
	of := replaycheck.MapOf(m)
	want := &replaycheck.Map{
		MapLabels:   lbreplay.MapLabels{Name: m.Name, Author: m.Author, ID: m.ID, Mode: m.Mode},
		Fingerprint: m.PhysicsFingerprint().String(),
	}
	if diff := cmp.Diff(want, of); diff != "" {
		t.Errorf("map (-want +got):\n%s", diff)
	}
	passed := replaycheck.Check{Name: replaycheck.MapUnchanged, Result: replaycheck.Passed}
	if got := replaycheck.OfMap(of, want.Fingerprint); got != passed {
		t.Errorf("the same physics: %+v", got)
	}
	other := failed(replaycheck.MapUnchanged, replaycheck.OtherPhysics)
	for name, got := range map[string]replaycheck.Check{
		"another fingerprint": replaycheck.OfMap(of, "f00d"), "no map data": replaycheck.OfMap(nil, want.Fingerprint),
	} {
		if got != other {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAcceptedFrom(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 11, 16, 10, 0, 1, time.UTC)
	want := time.Date(2026, 5, 11, 16, 11, 2, 0, time.UTC)
	if got := replaycheck.AcceptedFrom(now, 6*time.Minute+time.Second); !got.Equal(want) {
		t.Errorf("accepted from %v, want %v", got, want)
	}
}

func TestOfMode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		label, leaderboard bonkmap.Mode
		want               replaycheck.Check
	}{
		{bonkmap.Classic, bonkmap.Classic, replaycheck.Check{Name: replaycheck.GameModeMatches, Result: replaycheck.Passed}},
		{bonkmap.Classic, bonkmap.Grapple, failed(replaycheck.GameModeMatches, replaycheck.GameModeDiffers)},
		{bonkmap.NoMode, bonkmap.Grapple,
			replaycheck.Check{Name: replaycheck.GameModeMatches, Result: replaycheck.NotApplicable}},
		{bonkmap.Classic, bonkmap.NoMode,
			replaycheck.Check{Name: replaycheck.GameModeMatches, Result: replaycheck.NotApplicable}},
	} {
		if got := replaycheck.OfMode(&lbreplay.Replay{LabelMode: tt.label}, tt.leaderboard); got != tt.want {
			t.Errorf("%q on a leaderboard for %q: %+v", tt.label, tt.leaderboard, got)
		}
	}
}

func TestOfPlayer(t *testing.T) {
	t.Parallel()
	if got := replaycheck.OfPlayer(true); got.Result != replaycheck.Passed {
		t.Errorf("the player's own: %+v", got)
	}
	if got := replaycheck.OfPlayer(false); got != failed(replaycheck.OwnReplay, replaycheck.AnotherPlayers) {
		t.Errorf("another player's: %+v", got)
	}
}
