package world

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/playername"
)

var small = Size{Players: 40, Maps: 12, Foreign: 4, Records: 400}

func TestNew_is_deterministic(t *testing.T) {
	first, again, other := New(1, small), New(1, small), New(2, small)
	if diff := cmp.Diff(hashes(&first), hashes(&again)); diff != "" {
		t.Errorf("the same seed gives other files:\n%s", diff)
	}
	if cmp.Equal(hashes(&first), hashes(&other)) {
		t.Error("another seed gives the same files")
	}
}

// hashes are those of some of a world's files.
func hashes(w *World) []string {
	var all []string
	add := func(file []byte) { all = append(all, fmt.Sprintf("%x", sha256.Sum256(file))) }
	for i := range w.Maps[:3] {
		submission := w.Submission(&w.Maps[i])
		add(submission.Replay)
		add(submission.Image)
	}
	for _, record := range w.Records[:20] {
		add(w.Replay(record))
	}
	return all
}

func TestNew_files_are_valid(t *testing.T) {
	w := New(1, small)
	ids, modes := map[int]bool{}, map[bonkmap.Mode]int{}
	for i := range w.Maps {
		m := &w.Maps[i]
		submission := w.Submission(m)
		replay := parse(t, submission.Replay)
		if ids[replay.MapID] || replay.MapID <= 0 {
			t.Errorf("map %d has the id %d", i, replay.MapID)
		}
		ids[replay.MapID] = true
		modes[m.Course.Map.Mode]++
		submitter := w.Players[m.Submitter]
		if !playername.Same(replay.PlayerName, submitter.Account.Name) {
			t.Errorf("map %d is submitted by %s with a record of %s", i, submitter.Account.Name, replay.PlayerName)
		}
		if own := playername.Same(replay.MapAuthor, submitter.Account.Name); own == m.Foreign {
			t.Errorf("map %d, foreign %t, is by %s", i, m.Foreign, replay.MapAuthor)
		}
		if m.Foreign && !slices.Contains(submitter.Roles, "validator") {
			t.Errorf("map %d is submitted by %s, who is no validator", i, submitter.Account.Name)
		}
		if replay.Map.FinishIsAmbiguous() || len(replay.Map.CapZones) == 0 {
			t.Errorf("map %d has no clear finish", i)
		}
		checkPicture(t, submission.Image)
		if own := m.Medals; own != nil && (*own.Author > *own.Gold || *own.Gold > *own.Silver || *own.Silver > *own.Bronze) {
			t.Errorf("map %d has medals out of order", i)
		}
	}
	if len(modes) != len(bonkmap.ParkourModes()) {
		t.Errorf("modes: %v", modes)
	}
	for _, record := range w.Records {
		replay := parse(t, w.Replay(record))
		if replay.FinishTime != record.Time || record.Time <= 0 || !replay.Timestamp.Equal(record.At) {
			t.Errorf("a record of %d ms at %s reads as %d ms at %s", record.Time, record.At, replay.FinishTime, replay.Timestamp)
		}
	}
	for _, p := range w.Players {
		if p.Avatar != nil {
			checkPicture(t, p.Avatar)
		}
	}
}

func parse(t *testing.T, file []byte) *lbreplay.Replay {
	t.Helper()
	const maxFile = 1 << 20
	replay, err := lbreplay.Parse(file, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if len(replay.Disagreements) > 0 || !replay.Validated || replay.TimestampMissing || len(file) > maxFile ||
		replay.Timestamp.After(time.Now()) {
		t.Errorf("a site would refuse this replay of %s: %+v", replay.PlayerName, replay.Disagreements)
	}
	return replay
}

func checkPicture(t *testing.T, file []byte) {
	t.Helper()
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || len(file) > 1<<20 || config.Width > 4096 || config.Height > 4096 {
		t.Errorf("a picture of %d bytes, %dx%d: %v", len(file), config.Width, config.Height, err)
	}
}

func TestNew_times(t *testing.T) {
	w := New(1, Size{Players: 200, Maps: 60, Foreign: 6, Records: 3000})
	best, records := map[int]int{}, map[int]int{}
	type pair struct{ player, course int }
	seen := map[pair]bool{}
	var slow int
	medals := map[racetime.Medal]int{}
	for _, record := range w.Records {
		medals[racetime.DefaultMedals(w.Maps[record.Map].Time).Of(record.Time)]++
		records[record.Map]++
		seen[pair{record.Player, record.Map}] = true
		if best[record.Map] == 0 || record.Time < best[record.Map] {
			best[record.Map] = record.Time
		}
		if record.Time > 2*w.Maps[record.Map].Course.Par {
			slow++
		}
	}
	busiest := 0
	for _, count := range records {
		busiest = max(busiest, count)
	}
	if len(records) < 60 || busiest < 100 {
		t.Errorf("%d maps were run, the busiest %d times", len(records), busiest)
	}
	if again := len(w.Records) - len(seen); again < 300 {
		t.Errorf("only %d runs are further tries", again)
	}
	if slow > 30 {
		t.Errorf("%d runs took more than twice the par", slow)
	}
	for medal, bounds := range map[racetime.Medal][2]int{
		racetime.Author: {5, 15}, racetime.Gold: {5, 20}, racetime.Silver: {20, 45}, racetime.Bronze: {20,
			50}, racetime.NoMedal: {3, 20},
	} {
		if percent := 100 * medals[medal] / len(w.Records); percent < bounds[0] || percent > bounds[1] {
			t.Errorf("%d %% of the runs earn the medal %q, not %d to %d", percent, medal, bounds[0], bounds[1])
		}
	}
	for i, time := range best {
		if par := w.Maps[i].Course.Par; time < par*8/10 || time > par*3/2 {
			t.Errorf("map %d with par %d has a best time of %d", i, par, time)
		}
	}
}
