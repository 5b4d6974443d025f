// Command samples writes the samples: the image of one map, replays of several players on it, and a
// README. After a change of the packages that it uses, run go generate ./... in the module's folder.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	"capzone.dev/e2e/internal/mapgen"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
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
	File   string
	Player string
	level  int
	skin   string
	Finish string // a clock time
	at     string // RFC 3339
	Remark string // for the README
}

var replays = []sample{
	{
		File: "skyline-run-cloudstep.lbReplay", Player: author, level: 57, skin: `{"layers":[],"bc":7055103}`,
		Finish: "00:58.40", at: "2026-01-17T19:22:41.350Z",
		Remark: "The author's own replay. **Submit the map with it**; its time becomes the author time.",
	},
	{
		File: "skyline-run-mossfoot.lbReplay", Player: "mossfoot", level: 31, skin: `{"layers":[],"bc":5475654}`,
		Finish: "01:03.17", at: "2026-01-24T20:05:12.730Z",
		Remark: "A first record, with silver.",
	},
	{
		File: "skyline-run-mossfoot-faster.lbReplay", Player: "mossfoot", level: 33, skin: `{"layers":[],"bc":5475654}`,
		Finish: "00:59.93", at: "2026-02-01T10:48:03.010Z",
		Remark: "A week later: a new personal best, with gold.",
	},
	{
		File: "skyline-run-riverfox.lbReplay", Player: "riverfox", level: 102, skin: `{"layers":[],"bc":15105570}`,
		Finish: "00:57.23", at: "2026-02-14T22:31:55.600Z",
		Remark: "Faster than the author: the world record.",
	},
	{
		File: "skyline-run-pebblehop.lbReplay", Player: "pebblehop", level: 12, skin: `{"layers":[],"bc":9807270}`,
		Finish: "01:24.90", at: "2026-02-20T16:14:27.480Z",
		Remark: "Bronze, with a few seconds to spare.",
	},
	{
		File: "skyline-run-nightlark.lbReplay", Player: "nightlark", level: 8, skin: `{"layers":[],"bc":2899536}`,
		Finish: "01:41.33", at: "2026-03-05T18:39:09.900Z",
		Remark: "Too slow for a medal.",
	},
}

// skylineRun returns the map of all samples.
func skylineRun() mapgen.Course {
	return mapgen.Generate(mapgen.Options{
		Seed: 16, Mode: bonkmap.Classic, Name: "Skyline Run", Author: author, ID: 1_178_052,
	})
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
			return nil, fmt.Errorf("%s: %w", s.File, err)
		}
		files[s.File] = file
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
	finish, err := racetime.Parse(s.Finish)
	if err != nil {
		return nil, err
	}
	at, err := time.Parse(time.RFC3339, s.at)
	if err != nil {
		return nil, err
	}
	return lbreplay.Write(&lbreplay.Replay{
		MapName: m.Name, GameMode: m.Mode.String(), FinishTime: finish, PlayerName: s.Player, PlayerLevel: s.level,
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: at, PlayerSkin: s.skin, Map: m,
	})
}

//go:embed README.md.tmpl
var readmeText string

var readmeTemplate = template.Must(
	template.New("README").Funcs(template.FuncMap{"time": racetime.Format}).Parse(readmeText))

// readme returns the samples' README.
func readme(course mapgen.Course) ([]byte, error) {
	authorTime, err := racetime.Parse(replays[0].Finish)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = readmeTemplate.Execute(&b, map[string]any{
		"Map": course.Map, "Image": imageFile, "Replays": replays, "Tags": strings.Join(course.Tags, ", "),
		"Medals": racetime.DefaultMedals(authorTime).Snapped(),
	})
	return b.Bytes(), err
}
