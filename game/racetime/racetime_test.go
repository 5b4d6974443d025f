package racetime_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
)

func TestSnap(t *testing.T) {
	cases := []struct{ ms, want int }{
		{0, 0}, {16, 0}, {17, 33}, {33, 33}, {34, 33}, {49, 33}, {50, 67}, {67, 67}, {99, 100}, {100, 100},
		{1000, 1000},
		{41_270, 41_267}, {41_267, 41_267}, {59_999, 60_000}, {86_400_000, 86_400_000},
		{-41_270, -41_267}, {-16, 0}, {-50, -33}, {-51, -67},
	}
	for _, c := range cases {
		if got := racetime.Snap(c.ms); got != c.want {
			t.Errorf("Snap(%d) = %d, want %d", c.ms, got, c.want)
		}
	}
}

func TestSnap_rounding(t *testing.T) {
	halfUp := func(x float64) float64 { return math.Floor(x + 0.5) }
	for ms := -200; ms < 200_000; ms++ {
		want := int(halfUp(halfUp(float64(ms)*30/1000) * 1000 / 30))
		if got := racetime.Snap(ms); got != want {
			t.Fatalf("Snap(%d) = %d, want %d", ms, got, want)
		}
		if again := racetime.Snap(want); again != want {
			t.Fatalf("a snapped time moves: %d to %d", want, again)
		}
	}
}

func TestParse(t *testing.T) {
	cases := []struct {
		text string
		want int
	}{
		{"0:41", 41_000},
		{"00:41.27", 41_267},
		{"1:02", 62_000},
		{"01:2", 62_000},
		{"0:0.1", 100},
		{"0:0.10", 100},
		{"0:0.100", 100},
		{"0:00.05", 67},
		{"0:00.005", 0},
		{"12:34.5", 754_500},
		{"99:59.999", 6_000_000},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			if got, err := racetime.Parse(c.text); got != c.want || err != nil {
				t.Errorf("Parse = %d, %v, want %d", got, err, c.want)
			}
		})
	}
}

func TestParse_errors(t *testing.T) {
	for _, text := range []string{
		"", " ", "41.27", "41270", ":41", "1:", "1:60", "1:99.00", "100:00", "1:002", "1:02.", "1:02.1234", "-1:02",
		"+1:02",
		"1:02,5", " 1:02", "1:02 ", "1:0_", "__:__.__", "0_:41.27", "1:2:3", "a:bc", "1:02\n", "١:٠٢", "Infinity",
		"NaN",
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := racetime.Parse(text); !errors.Is(err, racetime.ErrNotAClockTime) {
				t.Errorf("Parse = %d, %v, want ErrNotAClockTime", got, err)
			}
		})
	}
}

func TestFormat(t *testing.T) {
	cases := []struct {
		ms   int
		want string
	}{
		{0, "00:00.00"}, {33, "00:00.03"}, {67, "00:00.07"}, {41_267, "00:41.27"}, {59_994, "00:59.99"},
		{59_995, "01:00.00"},
		{60_000, "01:00.00"}, {754_500, "12:34.50"}, {6_000_000, "100:00.00"}, {-41_267, "-00:41.27"},
	}
	for _, c := range cases {
		if got := racetime.Format(c.ms); got != c.want {
			t.Errorf("Format(%d) = %q, want %q", c.ms, got, c.want)
		}
	}
}

func TestFormat_round_trip(t *testing.T) {
	for frame := range 99 * 60 * racetime.FramesPerSecond {
		ms := racetime.OfFrame(frame)
		if got, err := racetime.Parse(racetime.Format(ms)); got != ms || err != nil {
			t.Fatalf("%d ms shows as %s and is read as %d, %v", ms, racetime.Format(ms), got, err)
		}
		if got := racetime.Frame(ms); got != frame {
			t.Fatalf("frame %d begins at %d ms, which is in frame %d", frame, ms, got)
		}
	}
}

func TestDefaultMedals(t *testing.T) {
	cases := []struct {
		author int
		want   racetime.Medals
	}{
		{41_267, racetime.Medals{Author: 41_267, Gold: 43_744, Silver: 49_521, Bronze: 61_901}},
		{50, racetime.Medals{Author: 50, Gold: 53, Silver: 60, Bronze: 75}},
		{33, racetime.Medals{Author: 33, Gold: 35, Silver: 40, Bronze: 50}},
		{100_000, racetime.Medals{Author: 100_000, Gold: 106_000, Silver: 120_000, Bronze: 150_000}},
		{1, racetime.Medals{Author: 1, Gold: 2, Silver: 2, Bronze: 2}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, racetime.DefaultMedals(c.author)); diff != "" {
			t.Errorf("author time %d:\n%s", c.author, diff)
		}
	}
}

func TestMedals_Snapped_stay_ordered(t *testing.T) {
	for frame := 1; frame < 20_000; frame++ {
		author := racetime.OfFrame(frame)
		medals := racetime.DefaultMedals(author).Snapped()
		isOrdered := author <= medals.Gold && medals.Gold <= medals.Silver && medals.Silver <= medals.Bronze
		if medals.Author != author || !isOrdered {
			t.Fatalf("author time %d gives %+v", author, medals)
		}
	}
}

func TestMedals_Of(t *testing.T) {
	medals := racetime.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000}
	cases := []struct {
		name   string
		medals racetime.Medals
		ms     int
		want   racetime.Medal
	}{
		{"faster than the author", medals, 39_967, racetime.Author},
		{"the author's own time", medals, 40_000, racetime.Author},
		{"just slower than the author", medals, 40_033, racetime.Gold},
		{"the gold time itself", medals, 42_400, racetime.Gold},
		{"just slower than gold", medals, 42_433, racetime.Silver},
		{"the silver time itself", medals, 48_000, racetime.Silver},
		{"the bronze time itself", medals, 60_000, racetime.Bronze},
		{"too slow", medals, 60_033, racetime.NoMedal},
		{"a map without medals", racetime.Medals{}, 0, racetime.NoMedal},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.medals.Of(c.ms); got != c.want {
				t.Errorf("Of(%d) = %q, want %q", c.ms, got, c.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"0:41", "00:41.27", "1:60", "__:__.__", "99:59.999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ms, err := racetime.Parse(text)
		if err != nil {
			return
		}
		if ms != racetime.Snap(ms) || strings.ContainsAny(text, "_-") {
			t.Fatalf("%q is read as %d", text, ms)
		}
		if again, err := racetime.Parse(racetime.Format(ms)); ms < 6_000_000 && (again != ms || err != nil) {
			t.Fatalf("%q is %d ms, shown as %s, read as %d, %v", text, ms, racetime.Format(ms), again, err)
		}
	})
}

func TestMedals_Next(t *testing.T) {
	medals := racetime.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000}
	for _, c := range []struct {
		medals  racetime.Medals
		ms      int
		want    racetime.Medal
		slowest int
	}{
		{medals, 39_000, racetime.NoMedal, 0},
		{medals, 40_000, racetime.NoMedal, 0},
		{medals, 40_033, racetime.Author, 40_000},
		{medals, 42_400, racetime.Author, 40_000},
		{medals, 42_433, racetime.Gold, 42_400},
		{medals, 48_033, racetime.Silver, 48_000},
		{medals, 60_000, racetime.Silver, 48_000},
		{medals, 60_033, racetime.Bronze, 60_000},
		{racetime.Medals{}, 1, racetime.NoMedal, 0},
	} {
		if got, slowest := c.medals.Next(c.ms); got != c.want || slowest != c.slowest {
			t.Errorf("Next(%d) of %+v is %q, %d, want %q, %d", c.ms, c.medals, got, slowest, c.want, c.slowest)
		}
	}
}
