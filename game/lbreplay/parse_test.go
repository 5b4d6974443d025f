package lbreplay_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/lzstring"
)

var now = time.Date(2026, 6, 1, 12, 30, 0, 123_456_789, time.UTC)

// skyline is a small map and its string.
func skyline(tb testing.TB) (*bonkmap.Map, string) {
	tb.Helper()
	m := &bonkmap.Map{
		Version: bonkmap.Version, Name: "Skyline Run", Author: "cloudstep", Mode: bonkmap.Classic, ID: 912_044,
		DatabaseVersion: 2, PixelsPerMetre: 12, Spawns: []bonkmap.Spawn{{Name: "Start", FreeForAll: true}},
	}
	encoded, err := bonkmap.Encode(m)
	if err != nil {
		tb.Fatal(err)
	}
	return m, encoded
}

func parse(tb testing.TB, text string) *lbreplay.Replay {
	tb.Helper()
	r, err := lbreplay.Parse([]byte(text), now)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestParse(t *testing.T) {
	m, data := skyline(t)
	got := parse(t, `Map Name: Skyline Run
Game Mode: Classic
Finish Time: 00:41.27
Player Name: riverfox
Player Level: 57
Validated: true
Replay Version: 1.3.0
Game Version: 49
Timestamp: 2026-05-11T18:02:33.120Z
Player Skin: {"layers":[],"bc":9315498}
Map Data: `+data+"\n")
	want := &lbreplay.Replay{
		MapName: "Skyline Run", MapAuthor: "cloudstep", MapID: 912_044, GameMode: "Classic",
		LabelMode: bonkmap.Classic, FinishTime: 41_267, PlayerName: "riverfox", PlayerLevel: 57, PlayerSkin: `{"layers":[],"bc":9315498}`,
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49",
		Timestamp: time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC),
		MapData:   data, Map: m,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

func TestParse_labels(t *testing.T) {
	_, data := skyline(t)
	cases := []struct {
		labels []string
		value  string
		read   func(*lbreplay.Replay) any
		want   any
	}{
		{[]string{"Map Name", "mapName", "MAP_NAME", "Map name", "map-name", " Map Name ", "m a p_n-a\tme", "Map"},
			"Skyline",
			func(r *lbreplay.Replay) any { return r.MapName }, "Skyline"},
		{[]string{"Map Author", "Author", "MAPAUTHOR"}, "cloudstep",
			func(r *lbreplay.Replay) any { return r.MapAuthor },
			"cloudstep"},
		{[]string{"Map ID", "mapId"}, "77", func(r *lbreplay.Replay) any { return r.MapID }, 77},
		{[]string{"Game Mode", "Mode", "game_mode"}, "VTOL", func(r *lbreplay.Replay) any { return r.GameMode },
			"VTOL"},
		{[]string{"Finish Time", "Time", "FINISHTIME"}, "1000", func(r *lbreplay.Replay) any { return r.FinishTime },
			1000},
		{[]string{"Player Name", "Player", "player_name"}, "riverfox",
			func(r *lbreplay.Replay) any { return r.PlayerName },
			"riverfox"},
		{[]string{"Player Level", "Level"}, "57", func(r *lbreplay.Replay) any { return r.PlayerLevel }, 57},
		{[]string{"Validated", "VALIDATED"}, "true", func(r *lbreplay.Replay) any { return r.Validated }, true},
		{[]string{"Replay Version", "Mod Version"}, "1.3.0", func(r *lbreplay.Replay) any { return r.ReplayVersion },
			"1.3.0"},
		{[]string{"Game Version"}, "49", func(r *lbreplay.Replay) any { return r.GameVersion }, "49"},
		{[]string{"Timestamp", "Date"}, "1500000000", func(r *lbreplay.Replay) any { return r.Timestamp.Unix() },
			int64(1_500_000_000)},
		{[]string{"Player Skin", "Skin"}, "{}", func(r *lbreplay.Replay) any { return r.PlayerSkin }, "{}"},
		{[]string{"Map Data", "Encoded Map Data", "Map", "encodedMapData"}, data,
			func(r *lbreplay.Replay) any { return r.MapData }, data},
	}
	for _, c := range cases {
		for _, label := range c.labels {
			t.Run(label, func(t *testing.T) {
				if got := c.read(parse(t, label+": "+c.value)); got != c.want {
					t.Errorf("read as %v, want %v", got, c.want)
				}
			})
		}
	}
}

func TestParse_validated(t *testing.T) {
	for text, want := range map[string]bool{
		"true": true, "TRUE": true, "True": true, "false": false, "yes": false, "1": false, "trueish": false, "": false,
	} {
		if got := parse(t, "Validated: "+text).Validated; got != want {
			t.Errorf("%q is %t", text, got)
		}
	}
}

func TestParseHeader(t *testing.T) {
	m, data := skyline(t)
	text := "Map Name: Rooftops\nMap Author: cloudstep\nPlayer: riverfox\nMap Data: " + data
	header, err := lbreplay.ParseHeader([]byte(text))
	if err != nil || header.MapData() != data {
		t.Fatalf("returned the map data %.20q, %v", header.MapData(), err)
	}
	got, err := header.Replay(lbreplay.LabelsOf(m), now)
	if err != nil {
		t.Fatal(err)
	}
	want := parse(t, text)
	want.Map = nil
	if diff := cmp.Diff(want, got); diff != "" || len(got.Disagreements) != 1 {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
	if _, err := lbreplay.ParseHeader([]byte("hello")); !errors.Is(err, lbreplay.ErrNotAReplay) {
		t.Errorf("text without labels: %v", err)
	}
}

func TestUnknownLines(t *testing.T) {
	text := "Player: riverfox\nInputs: 1,2,3\nno colon\nNote: a\nnote: b\n"
	want := []lbreplay.Line{{2, "Inputs", "1,2,3"}, {4, "Note", "a"}, {5, "note", "b"}}
	if diff := cmp.Diff(want, slices.Collect(lbreplay.UnknownLines([]byte(text)))); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
	for range lbreplay.UnknownLines([]byte(text)) {
		break
	}
}

func TestParse_errors(t *testing.T) {
	_, data := skyline(t)
	bomb := lzstring.Compress(strings.Repeat("A", 20<<20))
	cases := []struct {
		name, text string
		line       int
		want       error
	}{
		{"empty", "", 0, lbreplay.ErrNotAReplay},
		{"no known label", "Weather: sunny\n", 0, lbreplay.ErrNotAReplay},
		{"a page of the web", "<!doctype html>\n<title>404: Not Found</title>", 0, lbreplay.ErrNotAReplay},
		{"a NUL", "Player: river\x00fox", 0, lbreplay.ErrNotText},
		{"not UTF-8", "Player: river\xfffox", 0, lbreplay.ErrNotText},
		{"UTF-16", "P\x00l\x00a\x00y\x00e\x00r\x00:\x00a\x00", 0, lbreplay.ErrNotText},
		{"over 5 MiB", "Player: riverfox\n" + strings.Repeat(strings.Repeat("x", 1<<20)+"\n", 5), 0,
			lbreplay.ErrTooLarge},
		{"a line over 4 MiB", "Player: riverfox\nNote: " + strings.Repeat("x", 4<<20), 2, lbreplay.ErrLineTooLong},
		{"a skin over 16 KiB", "Player: riverfox\nSkin: " + strings.Repeat("x", 16<<10+1), 2, lbreplay.ErrTooLong},
		{"a name over 1 KiB", "Player: " + strings.Repeat("x", 1<<10+1), 1, lbreplay.ErrTooLong},
		{"broken map data", "Player: riverfox\nMap Data: " + data[:len(data)/2], 2, lbreplay.ErrBadMapData},
		{"map data that unfolds without end", "Map Data: " + bomb, 1, bonkmap.ErrTooLarge},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := lbreplay.Parse([]byte(c.text), now)
			var at *lbreplay.Error
			if r != nil || !errors.Is(err, c.want) || !errors.As(err, &at) || at.Line != c.line {
				t.Fatalf("error is %.200v, want %v in line %d", err, c.want, c.line)
			}
		})
	}
}

func TestParse_at_the_limits(t *testing.T) {
	skin := strings.Repeat("x", 16<<10)
	longest := "Note: " + strings.Repeat("x", 4<<20-len("Note: "))
	if got := parse(t, "Skin: "+skin+"\r\n"+longest+"\r\n").PlayerSkin; got != skin {
		t.Errorf("the skin has %d bytes", len(got))
	}
}

func TestParse_timestamps_ahead(t *testing.T) {
	for text, want := range map[string]lbreplay.TimestampFault{
		"2026-06-01T12:35:00.123Z": lbreplay.NoTimestampFault, "2026-06-01T12:35:00.124Z": lbreplay.TimestampAhead,
	} {
		r := parse(t, "Timestamp: "+text)
		if !r.Timestamp.Equal(now.Truncate(time.Millisecond)) || r.Ahead < lbreplay.MaxAhead-time.Millisecond ||
			r.TimestampFault != want {
			t.Errorf("%s: %v, %v ahead, fault %q", text, r.Timestamp, r.Ahead, r.TimestampFault)
		}
	}
}
