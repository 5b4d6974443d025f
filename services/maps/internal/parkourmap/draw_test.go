package parkourmap_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapimage"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
)

func spawns(n int) change {
	return func(_ *parkourmap.Submission, replay *lbreplay.Replay) {
		replay.Map.Spawns = slices.Repeat(replay.Map.Spawns[:1], n)
	}
}

func TestSubmitter_Submit_useDrawing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entry, err := b.Submit(t.Context(), submission(t, func(in *parkourmap.Submission, _ *lbreplay.Replay) {
		in.Image, in.UseDrawing = nil, true
	}))
	require.NoError(t, err)
	if entry.Files.Image != "" || entry.Files.Thumbnail != "" || entry.Files.Picture == "" || entry.Files.Drawing == "" {
		t.Errorf("files: %+v", entry.Files)
	}
}

func TestSubmitter_Submit_tooComplex(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, tt := range []struct {
		name     string
		alter    change
		sentence string
	}{
		{"more spawns than are drawn", spawns(mapimage.MaxMarks + 1), "1000 spawns"},
		{"shapes that cover each other", spawns(mapimage.MaxMarks/2 + 1), "cover each other"}, // see images.Paint
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := b.Submit(t.Context(), submission(t, tt.alter))
			if !errors.Is(err, parkourmap.ErrMapTooComplex) ||
				!strings.Contains(problem.From(err).Message, tt.sentence) {
				t.Errorf("error = %v, want one that names %q", err, tt.sentence)
			}
		})
	}
	if len(b.files.stored) != 0 || len(b.facts(t)) != 0 {
		t.Errorf("refused submissions have stored %v %v", b.files.stored, b.facts(t))
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
		{"a map of another author", func(_ *parkourmap.Submission, replay *lbreplay.Replay) {
			replay.Map.Author, replay.MapAuthor = "Rain", "Rain"
		}, nil},
		{"another player's replay", func(_ *parkourmap.Submission, replay *lbreplay.Replay) {
			replay.PlayerName = "stranger"
		}, parkourmap.ErrReplayNotYours},
		{"a map without a finish", func(_ *parkourmap.Submission, replay *lbreplay.Replay) {
			replay.Map.CapZones = nil
		},
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
