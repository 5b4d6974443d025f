package game_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
)

// cases is testdata/cases.json, which testdata/README.md explains.
type cases struct {
	Clock struct {
		Parse []struct {
			Text string
			Ms   *int
		}
		Format []struct {
			Ms   int
			Text string
		}
		Snap []struct{ Ms, Snapped int }
	}
	Medals struct {
		Defaults []racetime.Medals
		Earned   []struct {
			Medals racetime.Medals
			Ms     int
			Medal  racetime.Medal
		}
	}
	Maps    []mapCase
	Replays []replayCase
}

type mapCase struct {
	Name    string
	Encoded string
	Expect  any
	Error   string
}

type replayCase struct {
	Name   string
	Text   string
	Base64 []byte
	Now    time.Time
	Expect any
	Error  *struct {
		Code string
		Line int
	}
}

func load(t *testing.T) cases {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	var all cases
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestClockCases(t *testing.T) {
	clock := load(t).Clock
	for _, c := range clock.Parse {
		ms, err := racetime.Parse(c.Text)
		if (err == nil) != (c.Ms != nil) || c.Ms != nil && ms != *c.Ms {
			t.Errorf("Parse(%q) = %d, %v", c.Text, ms, err)
		}
	}
	for _, c := range clock.Format {
		if got := racetime.Format(c.Ms); got != c.Text {
			t.Errorf("Format(%d) = %q, want %q", c.Ms, got, c.Text)
		}
	}
	for _, c := range clock.Snap {
		if got := racetime.Snap(c.Ms); got != c.Snapped {
			t.Errorf("Snap(%d) = %d, want %d", c.Ms, got, c.Snapped)
		}
	}
}

func TestMedalCases(t *testing.T) {
	medals := load(t).Medals
	for _, want := range medals.Defaults {
		if diff := cmp.Diff(want, racetime.DefaultMedals(want.Author)); diff != "" {
			t.Errorf("author time %d:\n%s", want.Author, diff)
		}
	}
	for _, c := range medals.Earned {
		if got := c.Medals.Of(c.Ms); got != c.Medal {
			t.Errorf("%d ms on %+v earns %q, want %q", c.Ms, c.Medals, got, c.Medal)
		}
	}
}

func TestMapCases(t *testing.T) {
	for _, c := range load(t).Maps {
		t.Run(c.Name, func(t *testing.T) {
			m, err := bonkmap.Decode(c.Encoded)
			var at *bonkmap.Error
			if c.Error != "" {
				if !errors.As(err, &at) || string(at.Layer) != c.Error {
					t.Errorf("error is %v, want one in the %s", err, c.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.Expect, asJSON(t, mapFacts(m))); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

var errorCodes = map[string]error{
	"not_text":        lbreplay.ErrNotText,
	"not_a_replay":    lbreplay.ErrNotAReplay,
	"bad_finish_time": lbreplay.ErrBadFinishTime,
	"too_long":        lbreplay.ErrTooLong,
	"bad_map_data":    lbreplay.ErrBadMapData,
}

func TestReplayCases(t *testing.T) {
	all := load(t)
	maps := map[string]string{}
	var insert []string
	for _, c := range all.Maps {
		maps[c.Name] = c.Encoded
		insert = append(insert, "{{"+c.Name+"}}", c.Encoded)
	}
	for _, c := range all.Replays {
		t.Run(c.Name, func(t *testing.T) {
			file := c.Base64
			if file == nil {
				file = []byte(strings.NewReplacer(insert...).Replace(c.Text))
			}
			r, err := lbreplay.Parse(file, c.Now)
			if c.Error != nil {
				var at *lbreplay.Error
				if !errors.Is(err, errorCodes[c.Error.Code]) || !errors.As(err, &at) || at.Line != c.Error.Line {
					t.Errorf("error is %v, want %+v", err, *c.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.Expect, asJSON(t, replayFacts(file, r, maps))); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

// asJSON takes a value through JSON, to compare it with one that was read so.
func asJSON(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var same any
	if err := json.Unmarshal(text, &same); err != nil {
		t.Fatal(err)
	}
	return same
}
