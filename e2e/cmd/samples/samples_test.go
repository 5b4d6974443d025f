package main

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
)

var folder = filepath.Join("..", "..", "..", "docs", "samples")

func TestSamples_are_up_to_date(t *testing.T) {
	if _, err := os.Stat(filepath.Dir(folder)); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the project's docs are not beside this module")
	}
	want, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range want {
		got, err := os.ReadFile(filepath.Join(folder, name))
		switch {
		case err != nil:
			t.Errorf("%v; run go generate ./...", err)
		case name == imageFile:
			compareImages(t, content, got)
		case !bytes.Equal(content, got):
			t.Errorf("%s is stale; run go generate ./...\n%s", name, cmp.Diff(string(got), string(content)))
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if _, known := want[entry.Name()]; !known {
			t.Errorf("%s is not a sample", entry.Name())
		}
	}
}

// compareImages compares pixels, and lets them differ a little: compression and the last bit of a
// sine may change with Go's version and the machine.
func compareImages(t *testing.T, want, got []byte) {
	t.Helper()
	a, err := png.Decode(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	b, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	if a.Bounds() != b.Bounds() {
		t.Fatalf("the image is %v, want %v; run go generate ./...", b.Bounds(), a.Bounds())
	}
	if far := farthest(a, b); far > 8 {
		t.Errorf("the image is stale, a colour differs by %d; run go generate ./...", far)
	}
}

// farthest is the largest difference of two images in any pixel's part, of 255.
func farthest(a, b image.Image) int {
	far := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}} {
				far = max(far, int(max(pair[0], pair[1])-min(pair[0], pair[1]))>>8)
			}
		}
	}
	return far
}

func TestSamples_can_be_submitted(t *testing.T) {
	now := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
	files, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	if size := len(files[imageFile]); size > 1<<20 {
		t.Errorf("the image has %d bytes", size)
	}
	course := skylineRun()
	for _, r := range replays {
		replay, err := lbreplay.Parse(files[r.File], now)
		if err != nil {
			t.Fatal(err)
		}
		if !replay.Validated || len(replay.Disagreements) > 0 || replay.TimestampMissing ||
			replay.Timestamp.After(now) {
			t.Errorf("%s: validated %t, disagreements %v, time stamp %s", r.File, replay.Validated,
				replay.Disagreements,
				replay.Timestamp)
		}
		if replay.PlayerName != r.Player || racetime.Format(replay.FinishTime) != r.Finish {
			t.Errorf("%s: %s in %s", r.File, replay.PlayerName, racetime.Format(replay.FinishTime))
		}
		if diff := cmp.Diff(course.Map, replay.Map); diff != "" {
			t.Errorf("%s is on another map:\n%s", r.File, diff)
		}
		if len(files[r.File]) > 64<<10 {
			t.Errorf("%s has %d bytes", r.File, len(files[r.File]))
		}
	}
	if replays[0].Player != course.Map.Author {
		t.Errorf("the first replay is by %s, the map by %s", replays[0].Player, course.Map.Author)
	}
}

func TestSamples_readme(t *testing.T) {
	files, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[readmeFile])
	for name := range files {
		if name != readmeFile && !strings.Contains(text, "]("+name+")") {
			t.Errorf("the README does not name %s", name)
		}
	}
	for medal, of := range map[racetime.Medal]sample{racetime.Silver: replays[1], racetime.Gold: replays[2],
		racetime.Author: replays[3], racetime.Bronze: replays[4], racetime.NoMedal: replays[5]} {
		authorTime, _ := racetime.Parse(replays[0].Finish)
		finish, _ := racetime.Parse(of.Finish)
		if got := racetime.DefaultMedals(authorTime).Snapped().Of(finish); got != medal {
			t.Errorf("%s earns %q, not %q as its remark says", of.File, got, medal)
		}
	}
}
