package lbreplay_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
)

func TestWrite_round_trip(t *testing.T) {
	m, data := skyline(t)
	full := lbreplay.Replay{
		MapName: m.Name, MapAuthor: m.Author, MapID: m.ID, GameMode: m.Mode.String(), LabelMode: m.Mode,
		FinishTime: 41_267, PlayerName: "riverfox", PlayerLevel: 57, PlayerSkin: `{"layers":[],"bc":9315498}`, Validated: true,
		ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC),
		MapData: data, Map: m,
	}
	withoutData := full
	withoutData.MapData, withoutData.Map, withoutData.MapAuthor, withoutData.MapID = "", nil, "mossfoot", 7
	long := full
	long.FinishTime = racetime.Snap(7_000_000)
	unknown := lbreplay.Replay{
		MapName: lbreplay.UnknownName, MapAuthor: lbreplay.UnknownName, MapID: lbreplay.UnknownMapID,
		GameMode: lbreplay.UnknownGameMode, PlayerName: lbreplay.UnknownName,
		Timestamp: now.Truncate(time.Millisecond), TimestampMissing: true,
	}
	for name, r := range map[string]lbreplay.Replay{
		"with everything": full, "without map data": withoutData, "of nearly two hours": long,
		"that says nothing": unknown,
	} {
		t.Run(name, func(t *testing.T) {
			file, err := lbreplay.Write(&r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := lbreplay.Parse(file, now)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&r, got); diff != "" {
				t.Errorf("the replay changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestWrite_encodes_the_map(t *testing.T) {
	m, data := skyline(t)
	file, err := lbreplay.Write(&lbreplay.Replay{MapName: m.Name, GameMode: "Classic", Map: m})
	if err != nil || !strings.Contains(string(file), "Map Data: "+data+"\n") {
		t.Errorf("%v:\n%s", err, file)
	}
}

func TestWrite_errors(t *testing.T) {
	for name, r := range map[string]lbreplay.Replay{
		"a name of two lines":     {PlayerName: "river\nfox"},
		"a name with blank ends":  {PlayerName: " riverfox"},
		"a name with a NUL":       {PlayerName: "river\x00fox"},
		"a name that is not text": {PlayerName: "river\xff"},
		"a time below zero":       {FinishTime: -33},
		"a time over a day":       {FinishTime: 90_000_000},
		"map data that is none":   {MapData: "no map"},
		"a skin that is too long": {PlayerSkin: strings.Repeat("x", lbreplay.MaxSkin+1)},
	} {
		t.Run(name, func(t *testing.T) {
			if file, err := lbreplay.Write(&r); err == nil {
				t.Errorf("written as\n%s", file)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	course, err := os.ReadFile("../testdata/course.txt")
	if err != nil {
		b.Fatal(err)
	}
	m, err := bonkmap.Decode(string(course))
	if err != nil {
		b.Fatal(err)
	}
	file, err := lbreplay.Write(&lbreplay.Replay{
		MapName: m.Name, GameMode: "Classic", FinishTime: 41_267, PlayerName: "riverfox", PlayerLevel: 57,
		Validated:     true,
		ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: now, PlayerSkin: `{"layers":[],"bc":9315498}`, Map: m,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := lbreplay.Parse(file, now); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzParse(f *testing.F) {
	_, data := skyline(f)
	f.Add([]byte("Map Name: Skyline Run\nGame Mode: Classic\nFinish Time: 00:41.27\n" +
		"Player Name: riverfox\nMap Data: " + data))
	f.Add([]byte("\uFEFFMAP_NAME: a\r\nTime: 41270\r\nLevel: 5\r\nMap: " + data))
	f.Add([]byte("Timestamp: 1778522553\nValidated: TRUE\nWeather: sunny\nno colon\n"))
	f.Add([]byte("Map: name\nTime: -1"))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := lbreplay.Parse(file, now)
		if err != nil {
			return
		}
		if r.FinishTime != racetime.Snap(r.FinishTime) || r.FinishTime < 0 || r.PlayerLevel < 0 {
			t.Fatalf("finish time %d, level %d", r.FinishTime, r.PlayerLevel)
		}
		if (r.Map == nil) != (r.MapData == "") {
			t.Fatal("the map and its data do not go together")
		}
		again, err := lbreplay.Parse(file, now)
		if diff := cmp.Diff(r, again); err != nil || diff != "" {
			t.Fatalf("a second reading differs: %v\n%s", err, diff)
		}
	})
}
