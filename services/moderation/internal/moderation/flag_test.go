package moderation

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/event"
)

func TestFindFlags(t *testing.T) {
	t.Parallel()
	fact := event.RecordSubmitted{RecordID: "r", FinishTime: 40_000, At: now}
	record := event.InspectedRecord{
		RecordID: "r", MapID: "m", PlayerID: "p", FinishTime: 40_000, FinishTimeStamp: now, Finishers: 20,
	}
	old := now.AddDate(-1, 0, 0)
	// versions are those of the replay, and of the map's, which was finished so long before.
	versions := func(mod, game, mapMod, mapGame string, before time.Duration,
	) func(*event.RecordSubmitted, *event.InspectedRecord) {
		return func(_ *event.RecordSubmitted, r *event.InspectedRecord) {
			r.Replay = event.ReplayVersions{Mod: mod, Game: game}
			r.MapReplay = &event.MapReplay{
				ReplayVersions: event.ReplayVersions{Mod: mapMod, Game: mapGame}, FinishTimeStamp: now.Add(-before),
			}
		}
	}
	type change = func(*event.RecordSubmitted, *event.InspectedRecord)
	lead := func(previous int64, finishers int) change {
		return func(f *event.RecordSubmitted, r *event.InspectedRecord) {
			f.PreviousWorldRecord, r.Finishers = &event.WorldRecord{FinishTime: previous}, int64(finishers)
		}
	}
	ranked := func(rank int, isFirst bool, finishers int) change {
		return func(f *event.RecordSubmitted, r *event.InspectedRecord) {
			f.Rank, r.IsFirst, r.Finishers = int64(rank), isFirst, int64(finishers)
		}
	}
	adjacent := func(mapID string, before time.Duration, finishTime int64) change {
		return func(_ *event.RecordSubmitted, r *event.InspectedRecord) {
			r.Adjacent = []event.Finish{{
				RecordID: "o", MapID: mapID, PlayerID: "p", FinishTime: finishTime, FinishTimeStamp: now.Add(-before),
			}}
		}
	}
	copied := func(mapData bool) change {
		return func(_ *event.RecordSubmitted, r *event.InspectedRecord) {
			r.Copied = &event.Finish{RecordID: "c", PlayerID: "q", FinishTime: 40_033, FinishTimeStamp: now}
			r.CopiedMapData = mapData
		}
	}
	for _, tt := range []struct {
		name   string
		change func(f *event.RecordSubmitted, r *event.InspectedRecord)
		since  time.Time
		want   []FlagKind
	}{
		{"nothing remarkable", func(*event.RecordSubmitted, *event.InspectedRecord) {}, old, nil},
		{"15 % better", lead(47_000, 20), old, nil},
		{"more than 15 % better", lead(47_100, 20), old, []FlagKind{LargeLead}},
		{"better on a leaderboard of four", lead(90_000, 4), old, nil},
		{"a new account in the top 3", ranked(3, true, 20), now.Add(-23 * time.Hour), []FlagKind{NewAccount}},
		{"a new account in place 4", ranked(4, true, 20), now.Add(-time.Hour), nil},
		{"an account of a day", ranked(1, true, 20), now.Add(-24 * time.Hour), nil},
		{"the second record of a new account", ranked(1, false, 20), now.Add(-time.Hour), nil},
		{"one of nineteen", ranked(1, true, 19), now.Add(-time.Hour), nil},
		{"the same moment on another map", adjacent("m2", time.Second, 30_000), old, []FlagKind{SameMoment}},
		{"enough time since the finish before", adjacent("m2", 39*time.Second, 30_000), old, nil},
		{"too little time since the finish before", adjacent("m2", 38*time.Second, 30_000), old, []FlagKind{ImpossiblePace}},
		{"too little time until the finish after", adjacent("m", -38*time.Second, 60_000), old, []FlagKind{ImpossiblePace}},
		{"enough time until the finish after", adjacent("m", -38*time.Second, 30_000), old, nil},
		{"the time of another", copied(false), old, []FlagKind{CopiedFinish}},
		{"the time of another in a file with the same map data", copied(true), old, []FlagKind{RelabelledReplay}},
		{"older versions than the map's replay", versions("1.2.10", "48", "1.3.0", "49", time.Minute), old,
			[]FlagKind{OldVersion}},
		{"an older version of the mod", versions("1.2.10", "49", "1.3", "49", 0), old, []FlagKind{OldVersion}},
		{"an older version of the game", versions("1.3.0", "48", "1.3.0", "49", time.Minute), old, []FlagKind{OldVersion}},
		{"the same versions", versions("1.3", "49", "1.3.0", "49", time.Minute), old, nil},
		{"newer versions", versions("1.10.0", "100", "1.9.9", "49", time.Minute), old, nil},
		{"older versions and an older finish", versions("1.2.0", "48", "1.3.0", "49", -time.Second), old, nil},
		{"no versions", versions("", "", "1.3.0", "49", time.Minute), old, nil},
		{"no versions in the map's replay", versions("1.2.0", "48", "", "", time.Minute), old, nil},
		{"an unknown replay of the map", func(_ *event.RecordSubmitted, r *event.InspectedRecord) {
			r.Replay = event.ReplayVersions{Mod: "0.1", Game: "1"}
		}, old, nil},
		{"no time stamp of its own", func(f *event.RecordSubmitted, r *event.InspectedRecord) {
			versions("1.2.0", "48", "1.3.0", "49", time.Minute)(f, r)
			r.Undated = true
		}, old, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, r := fact, record
			r.PlayerSince = tt.since
			tt.change(&f, &r)
			var got []FlagKind
			for _, flag := range FindFlags(f, r) {
				got = append(got, flag.Kind)
				if len(flag.Numbers) == 0 || !flag.At.Equal(now) {
					t.Errorf("%+v has no numbers or no time", flag)
				}
			}
			assert.Equal(t, "flags", tt.want, got)
		})
	}
}

func TestFlagPrecision_IsSilent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		closed, confirmed int
		want              bool
	}{{0, 0, false}, {9, 0, false}, {10, 0, true}, {10, 1, true}, {10, 2, false}, {50, 9, true}, {50, 10, false}} {
		if got := (FlagPrecision{Closed: tt.closed, Confirmed: tt.confirmed}).IsSilent(); got != tt.want {
			t.Errorf("%d of %d: %v", tt.confirmed, tt.closed, got)
		}
	}
}

func TestFlagging_MarkSilent(t *testing.T) {
	t.Parallel()
	f := Flagging{Flags: []Flag{{ID: "1", Kind: LargeLead}, {ID: "2", Kind: SameMoment}}}
	flags, loud := f.MarkSilent([]FlagPrecision{
		{Kind: LargeLead, Closed: 10}, {Kind: SameMoment, Closed: 10, Confirmed: 9},
	})
	want := []Flag{{ID: "1", Kind: LargeLead, Silent: true}, {ID: "2", Kind: SameMoment}}
	if diff := cmp.Diff(want, flags); diff != "" || loud != 1 {
		t.Errorf("%d are loud (-want +got):\n%s", loud, diff)
	}
}
