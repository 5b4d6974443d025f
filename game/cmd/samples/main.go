// Command samples writes the sample files for trying the site: the image of one map and replays of
// several players on it, with an index. Run it as go generate ./... in the module's folder after a
// change of the packages that make them.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapgen"
	"capzone.dev/game/mapimage"
	"capzone.dev/game/racetime"
)

//go:generate go run . -out ../../../docs/samples

func main() {
	out := flag.String("out", ".", "the folder to write to")
	flag.Parse()
	if err := write(*out); err != nil {
		log.Fatal(err)
	}
}

func write(folder string) error {
	files, err := samples()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

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
	drawing, err := mapimage.Image(course.Map, 1280, 720)
	if err != nil {
		return nil, err
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, drawing); err != nil {
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

// writeIndex writes the samples' README.
func writeIndex(course mapgen.Course) ([]byte, error) {
	authorTime, err := racetime.Parse(runs[0].finish)
	if err != nil {
		return nil, err
	}
	medals := racetime.DefaultMedals(authorTime).Snapped()

	var b bytes.Buffer
	fmt.Fprintf(&b, `# Samples to try the site with

<!-- Written by game/cmd/samples. Change it there and run "go generate ./..." in game/. -->

Everything here was drawn and invented for this project: one map and six replays on it, by five players.

![%[1]s](%[2]s)

**%[1]s** by `+"`%[3]s`"+`, %[4]s, number %[5]d in the game. Tags that suit it: %[6]s.
With the default medal times: author %[7]s, gold %[8]s, silver %[9]s, bronze %[10]s.

| file | player | time | what it is |
|---|---|---|---|
`, course.Map.Name, imageFile, author, course.Map.Mode, course.Map.ID, strings.Join(course.Tags, ", "),
		racetime.Format(medals.Author), racetime.Format(medals.Gold),
		racetime.Format(medals.Silver), racetime.Format(medals.Bronze))
	for _, r := range runs {
		fmt.Fprintf(&b, "| [`%s`](%s) | `%s` | %s | %s |\n", r.file, r.file, r.player, r.finish, r.remark)
	}
	fmt.Fprintf(&b, `
A replay belongs to the player it names, and the site accepts it from nobody else. So:

1. Log in as `+"`%[1]s`"+` and submit the map: replay `+"`%[2]s`"+`, image `+"`%[3]s`"+`.
2. Log in as one of the others, say `+"`%[4]s`"+`, and submit that player's replay.
3. Look at the map's leaderboard.

Sending a file twice, or another player's, is worth a try, too. [The formats](../formats.md) are explained next door.
`, author, runs[0].file, imageFile, runs[1].player)
	return b.Bytes(), nil
}
