// Command samples writes the samples: the image of one map, replays of several players on it, and a
// README. After a change of the packages that it uses, run go generate ./... in the module's folder.
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
	author     = "cloudstep"
	imageFile  = "skyline-run.png"
	readmeFile = "README.md"
)

// sample describes a replay.
type sample struct {
	file   string
	player string
	level  int
	skin   string
	finish string // a clock time
	at     string // RFC 3339
	remark string // for the README
}

var replays = []sample{
	{
		file: "skyline-run-cloudstep.lbReplay", player: author, level: 57, skin: `{"layers":[],"bc":7055103}`,
		finish: "00:58.40", at: "2026-01-17T19:22:41.350Z",
		remark: "The author's own replay. **Submit the map with it**; its time becomes the author time.",
	},
	{
		file: "skyline-run-mossfoot.lbReplay", player: "mossfoot", level: 31, skin: `{"layers":[],"bc":5475654}`,
		finish: "01:03.17", at: "2026-01-24T20:05:12.730Z",
		remark: "A first record, with silver.",
	},
	{
		file: "skyline-run-mossfoot-faster.lbReplay", player: "mossfoot", level: 33, skin: `{"layers":[],"bc":5475654}`,
		finish: "00:59.93", at: "2026-02-01T10:48:03.010Z",
		remark: "A week later: a new personal best, with gold.",
	},
	{
		file: "skyline-run-riverfox.lbReplay", player: "riverfox", level: 102, skin: `{"layers":[],"bc":15105570}`,
		finish: "00:57.23", at: "2026-02-14T22:31:55.600Z",
		remark: "Faster than the author: the world record.",
	},
	{
		file: "skyline-run-pebblehop.lbReplay", player: "pebblehop", level: 12, skin: `{"layers":[],"bc":9807270}`,
		finish: "01:24.90", at: "2026-02-20T16:14:27.480Z",
		remark: "Bronze, with a few seconds to spare.",
	},
	{
		file: "skyline-run-nightlark.lbReplay", player: "nightlark", level: 8, skin: `{"layers":[],"bc":2899536}`,
		finish: "01:41.33", at: "2026-03-05T18:39:09.900Z",
		remark: "Too slow for a medal.",
	},
}

// skylineRun returns the map of all samples.
func skylineRun() mapgen.Course {
	return mapgen.Draw(mapgen.Options{Seed: 16, Mode: bonkmap.Classic, Name: "Skyline Run", Author: author, ID: 1_178_052})
}

// samples returns the contents of every file, by name.
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
	for _, s := range replays {
		file, err := s.replay(course.Map)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		files[s.file] = file
	}
	text, err := readme(course)
	if err != nil {
		return nil, err
	}
	files[readmeFile] = text
	return files, nil
}

// replay returns the file of the sample.
func (s sample) replay(m *bonkmap.Map) ([]byte, error) {
	finish, err := racetime.Parse(s.finish)
	if err != nil {
		return nil, err
	}
	at, err := time.Parse(time.RFC3339, s.at)
	if err != nil {
		return nil, err
	}
	return lbreplay.Write(&lbreplay.Replay{
		MapName: m.Name, GameMode: m.Mode.String(), FinishTime: finish, PlayerName: s.player, PlayerLevel: s.level,
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: at, PlayerSkin: s.skin, Map: m,
	})
}

// readme returns the samples' README.
func readme(course mapgen.Course) ([]byte, error) {
	authorTime, err := racetime.Parse(replays[0].finish)
	if err != nil {
		return nil, err
	}
	medals := racetime.DefaultMedals(authorTime).Snapped()

	var b bytes.Buffer
	fmt.Fprintf(&b, `# Samples to try the site with

<!-- Written by game/cmd/samples. Change it there and run "go generate ./..." in game/. -->

Everything here was generated for this project: one map and six replays on it, by five players.

![%[1]s](%[2]s)

**%[1]s** by `+"`%[3]s`"+`, %[4]s, number %[5]d in the game. Tags that suit it: %[6]s.
With the default medal times: author %[7]s, gold %[8]s, silver %[9]s, bronze %[10]s.

| file | player | time | what it is |
|---|---|---|---|
`, course.Map.Name, imageFile, author, course.Map.Mode, course.Map.ID, strings.Join(course.Tags, ", "),
		racetime.Format(medals.Author), racetime.Format(medals.Gold),
		racetime.Format(medals.Silver), racetime.Format(medals.Bronze))
	for _, s := range replays {
		fmt.Fprintf(&b, "| [`%s`](%s) | `%s` | %s | %s |\n", s.file, s.file, s.player, s.finish, s.remark)
	}
	fmt.Fprintf(&b, `
The site accepts a replay only from the player it names. So:

1. Log in as `+"`%[1]s`"+` and submit the map: replay `+"`%[2]s`"+`, image `+"`%[3]s`"+`.
2. Log in as another player, for example `+"`%[4]s`"+`, and submit that player's replay.
3. Look at the map's leaderboard.

Try to submit a file twice, or a replay of another player, too. The files have [these formats](../formats.md).
`, author, replays[0].file, imageFile, replays[1].player)
	return b.Bytes(), nil
}
