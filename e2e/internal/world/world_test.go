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

	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
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
	require.NoError(t, err)
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
