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

func TestParse_defaults(t *testing.T) {
	want := &lbreplay.Replay{
		MapName: "Unknown", MapAuthor: "Unknown", MapID: -1, GameMode: "View v1.3.0+", PlayerName: "Unknown",
		Timestamp: time.Date(2026, 6, 1, 12, 30, 0, 123_000_000, time.UTC), TimestampMissing: true,
	}
	for name, text := range map[string]string{
		"one label without a value": "Replay Version:",
		"labels without values": "Map Name:\nGame Mode: \nFinish Time:\nPlayer Level:\t\nMap Data:\nMap:\nValidated:\n" +
			"Timestamp:\nMap ID:\n",
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, parse(t, text)); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
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

func TestParse_lines(t *testing.T) {
	cases := []struct {
		name, text string
		want       string // of the player's name
	}{
		{"lines end with LF", "Player: riverfox\nLevel: 3\n", "riverfox"},
		{"lines end with CRLF", "Player: riverfox\r\nLevel: 3\r\n", "riverfox"},
		{"the last line does not end", "Level: 3\nPlayer: riverfox", "riverfox"},
		{"byte-order mark", "\uFEFFPlayer: riverfox\n", "riverfox"},
		{"blanks around label and value", " \tPlayer \t: \t riverfox \t", "riverfox"},
		{"no blanks", "Player:riverfox", "riverfox"},
		{"colons in the value", "Player: river:fox: two", "river:fox: two"},
		{"letters outside ASCII", "Player: örni 🏁", "örni 🏁"},
		{"repeated label", "Player: riverfox\nPlayer: mossfoot", "riverfox"},
		{"repeated label in another spelling", "Player: riverfox\nPlayer Name: mossfoot", "riverfox"},
		{"first line without a value", "Player:\nPlayer: riverfox", "riverfox"},
		{"lines without a colon", "replay\n\n\nPlayer: riverfox\n----", "riverfox"},
		{"lines without a label", ": mossfoot\nPlayer: riverfox", "riverfox"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := parse(t, c.text).PlayerName; got != c.want {
				t.Errorf("the player is %q, want %q", got, c.want)
			}
		})
	}
}

func TestParse_unknown_labels(t *testing.T) {
	got := parse(t, "Weather: sunny\nPlayer: riverfox\nNote to self: jump: later\n").Unknown
	want := []lbreplay.Line{{Number: 1, Label: "Weather", Value: "sunny"},
		{Number: 3, Label: "Note to self", Value: "jump: later"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	many := parse(t, "Player: riverfox\n"+strings.Repeat("a:\n", 100_000)).Unknown
	if len(many) != 256 {
		t.Errorf("%d unknown lines are returned", len(many))
	}
}

func TestParse_finish_times(t *testing.T) {
	bad := -1
	cases := []struct {
		text string
		want int
	}{
		{"00:41.27", 41_267}, {"0:41", 41_000}, {"1:02.5", 62_500}, {"41270", 41_267}, {"0", 0}, {"007", 0},
		{"86400000",
			86_400_000},
		{"86400001", bad}, {"99999999999999999999", bad}, {"-5", bad}, {"-0:41", bad}, {"+5", bad}, {"Infinity",
			bad}, {"-inf", bad},
		{"NaN", bad}, {"41.27", bad}, {"4e4", bad}, {"0x10", bad}, {"41 270", bad}, {"soon", bad}, {"1:60", bad},
		{"0:41:27",
			bad}, {":", bad},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			r, err := lbreplay.Parse([]byte("Level: 3\nFinish Time: "+c.text), now)
			if c.want == bad {
				var at *lbreplay.Error
				if !errors.Is(err, lbreplay.ErrBadFinishTime) || !errors.As(err, &at) || at.Line != 2 {
					t.Errorf("error is %v, want ErrBadFinishTime in line 2", err)
				}
				return
			}
			if err != nil || r.FinishTime != c.want {
				t.Errorf("read as %+v, %v, want %d", r, err, c.want)
			}
		})
	}
}

func TestParse_timestamps(t *testing.T) {
	const now = "2026-06-01T12:30:00.123Z"
	cases := []struct {
		text, want string
		fault      lbreplay.TimestampFault
	}{
		{"2026-05-11T18:02:33.120Z", "2026-05-11T18:02:33.12Z", ""},
		{"2026-05-11T18:02:33Z", "2026-05-11T18:02:33Z", ""},
		{"2026-05-11T20:02:33+02:00", "2026-05-11T18:02:33Z", ""},
		{"2026-05-11T18:02:33.123987Z", "2026-05-11T18:02:33.123Z", ""},
		{"1778522553", "2026-05-11T18:02:33Z", ""},
		{"1778522553120", "2026-05-11T18:02:33.12Z", ""},
		{"2013-01-01T00:00:00Z", "2013-01-01T00:00:00Z", ""},
		{"2026-06-01T12:31:00Z", now, ""}, // it is ahead
		{"2012-12-31T23:59:59.999Z", now, lbreplay.TimestampTooOld},
		{"0", now, lbreplay.TimestampTooOld},
		{"100000000000", now, lbreplay.TimestampTooOld},
		{"0001-01-01T00:00:00Z", now, lbreplay.TimestampTooOld},
		{"2026-06-01T12:35:00.123Z", now, ""},
		{"2026-06-01T12:35:00.124Z", now, lbreplay.TimestampAhead},
		{"99999999999", now, lbreplay.TimestampAhead},
		{"253402300799999", now, lbreplay.TimestampAhead},
		{"253402300800000", now, lbreplay.TimestampUnreadable},
		{"-1", now, lbreplay.TimestampUnreadable},
		{"yesterday", now, lbreplay.TimestampUnreadable},
		{"2026-05-11", now, lbreplay.TimestampUnreadable},
		{"2026-05-11 18:02:33Z", now, lbreplay.TimestampUnreadable},
		{"2026-05-11T18:02:33", now, lbreplay.TimestampUnreadable},
		{"2026-13-11T18:02:33Z", now, lbreplay.TimestampUnreadable},
		{"2026-02-30T18:02:33Z", now, lbreplay.TimestampUnreadable},
		{"1778522553.5", now, lbreplay.TimestampUnreadable},
		{"0001-01-01T00:00:00+00:01", now, lbreplay.TimestampUnreadable},
		{"0000-06-01T00:00:00Z", now, lbreplay.TimestampUnreadable},
		{"9999-12-31T23:59:59-00:01", now, lbreplay.TimestampUnreadable},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			r := parse(t, "Timestamp: "+c.text)
			got := r.Timestamp.Format(time.RFC3339Nano)
			if got != c.want || r.TimestampFault != c.fault || r.TimestampMissing {
				t.Errorf("%s with the fault %q, missing %t; want %s with %q", got, r.TimestampFault,
					r.TimestampMissing, c.want,
					c.fault)
			}
		})
	}
	if r := parse(t, "Timestamp:\nPlayer: a"); !r.TimestampMissing || r.TimestampFault != "" {
		t.Errorf("a label without a value: missing %t, fault %q", r.TimestampMissing, r.TimestampFault)
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

func TestParse_levels(t *testing.T) {
	for text, want := range map[string]int{"57": 57, "0": 0, "-3": 0, "high": 0, "5.5": 0, "2147483647": 1<<31 - 1,
		"2147483648": 0} {
		if got := parse(t, "Level: "+text).PlayerLevel; got != want {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestParse_label_map(t *testing.T) {
	_, data := skyline(t)
	other := "Q" // packed nothing: no map
	cases := []struct {
		name, text, mapName string
		hasData             bool
	}{
		{"data", "Map: " + data, "Skyline Run", true},
		{"a name", "Map: Rooftops", "Rooftops", false},
		{"a name that could be packed text", "Map: " + other, other, false},
		{"a name before the name", "Map: Rooftops\nMap Name: Other", "Rooftops", false},
		{"a name after the name", "Map Name: Other\nMap: Rooftops", "Other", false},
		{"a name beside data", "Map: Skyline Run\nMap Data: " + data, "Skyline Run", true},
		{"data after a second name", "Map: Rooftops\nMap: " + data, "Rooftops", false},
		{"data before other data that is broken", "Map: " + data + "\nMap Data: broken", "Skyline Run", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.text)
			if r.MapName != c.mapName || (r.Map != nil) != c.hasData || (r.MapData == data) != c.hasData {
				t.Errorf("the map is %q, data %t", r.MapName, r.Map != nil)
			}
		})
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
