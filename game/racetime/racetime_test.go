package racetime_test

import (
	"math"
	"strings"
	"testing"

	"capzone.dev/game/racetime"
)

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

func TestFormat_round_trip(t *testing.T) {
	for frame := range 999 * 60 * racetime.FramesPerSecond / 10 {
		ms := racetime.OfFrame(frame)
		if got, err := racetime.Parse(racetime.Format(ms)); got != ms || err != nil {
			t.Fatalf("%d ms shows as %s and is read as %d, %v", ms, racetime.Format(ms), got, err)
		}
		if got := racetime.Frame(ms); got != frame {
			t.Fatalf("frame %d begins at %d ms, which is in frame %d", frame, ms, got)
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
