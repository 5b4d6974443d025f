package parkourmap_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapimage"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
)

func spawns(n int) change {
	return altered(func(replay *lbreplay.Replay) { replay.Map.Spawns = slices.Repeat(replay.Map.Spawns[:1], n) })
}

func TestSubmitter_Submit_use_drawing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entry := b.submitted(t, func(in *parkourmap.Submission, _ *lbreplay.Replay) { in.Image, in.UseDrawing = nil, true })
	if entry.Files.Image != "" || entry.Files.Thumbnail != "" || entry.Files.Picture == "" || entry.Files.Drawing == "" {
		t.Errorf("files: %+v", entry.Files)
	}
}

func TestSubmitter_Submit_too_complex(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n, sentence := range map[int]string{
		mapimage.MaxMarks + 1: "1000 spawns", mapimage.MaxMarks/2 + 1: "cover each other", // see images.Paint
	} {
		_, err := b.Submit(t.Context(), submission(t, spawns(n)))
		if !errors.Is(err, parkourmap.ErrMapTooComplex) || !strings.Contains(problem.From(err).Message, sentence) {
			t.Errorf("error = %v, want one that names %q", err, sentence)
		}
	}
}

func TestSubmitter_Draw(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.submitted(t)
	stored := len(b.files.stored)
	for _, tt := range []struct {
		name  string
		alter change
		want  error
	}{
		{"a map that exists", byAuthor, nil},
		{"another version", widened(700), nil},
		{"a map of another author", authored("Rain"), nil},
		{"another player's replay", altered(func(replay *lbreplay.Replay) { replay.PlayerName = "stranger" }),
			parkourmap.ErrReplayNotYours},
		{"a map without a finish", altered(func(replay *lbreplay.Replay) { replay.Map.CapZones = nil }),
			parkourmap.ErrFinishMissing},
		{"too many spawns", spawns(mapimage.MaxMarks + 1), parkourmap.ErrMapTooComplex},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := submission(t, tt.alter)
			svg, err := b.Draw(t.Context(), in.By, in.Replay, bonkmap.Classic)
			if !errors.Is(err, tt.want) || err == nil && !bytes.HasPrefix(svg, []byte("<svg ")) {
				t.Errorf("got %.40q, %v, want the error %v", svg, err, tt.want)
			}
		})
	}
	if len(b.files.stored) != stored {
		t.Errorf("stored %v", b.files.stored[stored:])
	}
}
