package main

import (
	"bytes"
	"fmt"
	"image/png"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapgen"
	"capzone.dev/game/racetime"
)

const (
	author    = "cloudstep"
	imageFile = "skyline-run.png"
	indexFile = "README.md"
)

// run is a replay to be.
type run struct {
	file   string
	player string
	level  int
	skin   string
	finish string
	at     string
	remark string // for the index
}

var runs = []run{
	{
		file: "skyline-run-cloudstep.lbReplay", player: author, level: 57, skin: `{"layers":[],"bc":7055103}`,
		finish: "00:58.40", at: "2026-01-17T19:22:41.350Z",
		remark: "The author's own run. **Submit the map with this one**; its time becomes the author time.",
	},
	{
		file: "skyline-run-mossfoot.lbReplay", player: "mossfoot", level: 31, skin: `{"layers":[],"bc":5475654}`,
		finish: "01:03.17", at: "2026-01-24T20:05:12.730Z",
		remark: "A first run, good for silver.",
	},
	{
		file: "skyline-run-mossfoot-faster.lbReplay", player: "mossfoot", level: 33, skin: `{"layers":[],"bc":5475654}`,
		finish: "00:59.93", at: "2026-02-01T10:48:03.010Z",
		remark: "A week later: a new personal best, and gold.",
	},
	{
		file: "skyline-run-riverfox.lbReplay", player: "riverfox", level: 102, skin: `{"layers":[],"bc":15105570}`,
		finish: "00:57.23", at: "2026-02-14T22:31:55.600Z",
		remark: "Faster than the author: the record.",
	},
	{
		file: "skyline-run-pebblehop.lbReplay", player: "pebblehop", level: 12, skin: `{"layers":[],"bc":9807270}`,
		finish: "01:24.90", at: "2026-02-20T16:14:27.480Z",
		remark: "Bronze, by a few seconds.",
	},
	{
		file: "skyline-run-nightlark.lbReplay", player: "nightlark", level: 8, skin: `{"layers":[],"bc":2899536}`,
		finish: "01:41.33", at: "2026-03-05T18:39:09.900Z",
		remark: "Too slow for a medal.",
	},
}

// skylineRun is the map of all samples.
func skylineRun() mapgen.Course {
	return mapgen.Draw(mapgen.Options{Seed: 16, Mode: bonkmap.Classic, Name: "Skyline Run", Author: author, ID: 1_178_052})
}

// samples makes every file, by name.
func samples() (map[string][]byte, error) {
	course := skylineRun()
	var picture bytes.Buffer
	if err := png.Encode(&picture, mapgen.Picture(course.Map, 1280, 720)); err != nil {
		return nil, err
	}
	files := map[string][]byte{imageFile: picture.Bytes()}
	for _, r := range runs {
		file, err := r.write(course.Map)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		files[r.file] = file
	}
	index, err := writeIndex(course)
	if err != nil {
		return nil, err
	}
	files[indexFile] = index
	return files, nil
}

func (r run) write(m *bonkmap.Map) ([]byte, error) {
	finish, err := racetime.Parse(r.finish)
	if err != nil {
		return nil, err
	}
	at, err := time.Parse(time.RFC3339, r.at)
	if err != nil {
		return nil, err
	}
	return lbreplay.Write(&lbreplay.Replay{
		MapName: m.Name, GameMode: m.Mode.String(), FinishTime: finish, PlayerName: r.player, PlayerLevel: r.level,
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: at, PlayerSkin: r.skin, Map: m,
	})
}
