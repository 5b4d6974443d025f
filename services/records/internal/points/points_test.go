package points_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/services/records/internal/points"
)

// place returns the result of a place that nobody shares.
func place(of, finishers int64) points.Result {
	return points.Result{Opponents: finishers - 1, Slower: finishers - of}
}

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		result points.Result
		want   points.Terms
		points points.Tenths
	}{
		{"1st of 31", place(1, 31), points.Terms{180, 4620, 1200}, 6000},
		{"2nd of 31", place(2, 31), points.Terms{180, 4466, 696}, 5342},
		{"3rd of 31", place(3, 31), points.Terms{180, 4312, 504}, 4996},
		{"8th of 31", place(8, 31), points.Terms{180, 3542, 0}, 3722},
		{"16th of 31", place(16, 31), points.Terms{180, 2310, 0}, 2490},
		{"last of 31", place(31, 31), points.Terms{180, 0, 0}, 180},
		{"8th of 81", place(8, 81), points.Terms{240, 5621, 0}, 5861},
		{"8th of 31, with the time of the player behind", points.Result{Opponents: 30, Slower: 22, Tied: 1},
			points.Terms{180, 3465, 0}, 3645},
		{"everybody has the same time", points.Result{Opponents: 30, Tied: 30}, points.Terms{180, 2310, 600}, 3090},
		{"alone", place(1, 1), points.Terms{}, 0},
	} {
		got := points.Of(tt.result)
		if got != tt.want || got.Points() != tt.points {
			t.Errorf("%s: %v with the sum %d, want %v with %d", tt.name, got, got.Points(), tt.want, tt.points)
		}
	}
}

// The terms add up to the formula's value to the tenth, and each is less than a tenth from its own.
func TestOf_terms_add_up(t *testing.T) {
	t.Parallel()
	bonus := []float64{200, 120, 90, 60, 20}
	for m := range int64(400) {
		for of := int64(1); of <= m+1; of++ {
			r := place(of, m+1)
			got, b, divisor := points.Of(r), r.Beaten(), float64(m+20)
			wantPlace := 0.0
			if of <= 5 {
				wantPlace = bonus[of-1] * b / divisor
			}
			finish, beaten := 30*float64(m)/divisor, 770*b/divisor
			want := math.Floor(10*(finish+beaten+wantPlace)+0.5+1e-9) / 10
			if got.Points().Float() != want {
				t.Fatalf("place %d of %d: %v, want %v", of, m+1, got.Points().Float(), want)
			}
			for _, d := range []float64{
				got.Finish.Float() - finish, got.Beaten.Float() - beaten, got.Place.Float() - wantPlace,
			} {
				if math.Abs(d) >= 0.1 {
					t.Fatalf("place %d of %d: %+v is %v off", of, m+1, got, d)
				}
			}
		}
	}
}

// The properties of the design, for all sizes of leaderboards and places. Points are rounded to the tenth, so that
// they may stay the same where the formula's value falls: a player who beats one of 22 has 34.05 points, and 33.95
// with one more above.
func TestOf_properties(t *testing.T) {
	t.Parallel()
	value := func(of, finishers int64) float64 {
		bonus := append([]float64{200, 120, 90, 60, 20}, make([]float64, finishers)...)[of-1]
		return (30*float64(finishers-1) + (770+bonus)*float64(finishers-of)) / float64(finishers+19)
	}
	for finishers := int64(5); finishers <= 1500; finishers++ {
		for of := int64(1); of <= finishers; of++ {
			if of > 30 && of != finishers/2 && of != finishers {
				continue
			}
			own := points.Of(place(of, finishers)).Points()
			faster := points.Of(place(of+1, finishers+1)).Points()
			if of < finishers && (faster > own || value(of+1, finishers+1) >= value(of, finishers)) {
				t.Errorf("a faster newcomer leaves %d of place %d of %d: %d", own, of, finishers, faster)
			}
			if slower := points.Of(place(of, finishers+1)).Points(); slower < own {
				t.Errorf("a slower newcomer takes from %d of place %d of %d: %d", own, of, finishers, slower)
			}
			if of > 1 {
				if gained := points.Of(place(of-1, finishers)).Points(); gained <= own {
					t.Errorf("gaining place %d of %d leaves %d: %d", of-1, finishers, own, gained)
				}
			}
			if of == finishers {
				if more := points.Of(place(of+1, finishers+1)).Points(); more < own {
					t.Errorf("another finisher takes from %d of the last of %d: %d", own, finishers, more)
				}
			}
		}
	}
}

func TestThresholds_On(t *testing.T) {
	t.Parallel()
	thresholds := points.Thresholds{Finishers: 5, Maps: 5, Authors: 3}
	if got := thresholds.On(place(1, 4)); got != (points.Terms{}) {
		t.Errorf("first of 4: %v, want nothing", got)
	}
	if got := thresholds.On(place(1, 5)).Points(); got != 1667 {
		t.Errorf("first of 5: %d, want 1667", got)
	}
}

func TestTotal(t *testing.T) {
	t.Parallel()
	six := []points.Tenths{5861, 5342, 3750, 3260, 1781, 890}
	var shares []float64
	for i, of := range six {
		shares = append(shares, points.Share(of, int64(i+1)).Round().Float())
	}
	assert.Equal(t, "shares", []float64{586.1, 507.5, 338.4, 279.5, 145.1, 68.9}, shares)
	if got := points.Total(six); got != 19255 { // of 1925.456…
		t.Errorf("the total is %d, want 19255", got)
	}
	if got := points.Total(nil); got != 0 {
		t.Errorf("the total of nothing is %d", got)
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	before := map[string]points.Tenths{"a": 6000, "b": 4000, "gone": 3000}
	now := map[string]points.Tenths{"a": 5342, "b": 4000, "new": 4996}
	change := points.Total([]points.Tenths{5342, 4996, 4000}) - points.Total([]points.Tenths{6000, 4000, 3000})
	causes, rest := points.Explain(before, now, change)
	want := []points.Cause{
		{MapID: "new", Now: 4996, Change: 4746},
		{MapID: "gone", Before: 3000, Change: -2708},
		{MapID: "a", Before: 6000, Now: 5342, Change: -658},
		{MapID: "b", Before: 4000, Now: 4000, Change: -190},
	}
	assert.Equal(t, "causes", want, causes)
	if change != 1190 || rest != 0 {
		t.Errorf("a change of %d with a rest of %d, want 1190 with 0", change, rest)
	}
}

func TestExplain_sums(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	total := func(of map[string]points.Tenths) points.Tenths {
		var all []points.Tenths
		for _, p := range of {
			all = append(all, p)
		}
		slices.Sort(all)
		slices.Reverse(all)
		return points.Total(all)
	}
	for range 1000 {
		before, now := map[string]points.Tenths{}, map[string]points.Tenths{}
		for i := range random.IntN(30) {
			id := fmt.Sprintf("%02d", i)
			if random.IntN(4) > 0 {
				before[id] = points.Tenths(random.IntN(9700))
			}
			if random.IntN(4) > 0 {
				now[id] = points.Tenths(random.IntN(9700))
			}
		}
		change := total(now) - total(before)
		causes, sum := points.Explain(before, now, change)
		for _, c := range causes {
			sum += c.Change
		}
		if sum != change || len(causes) > 5 {
			t.Fatalf("%d causes and the rest add up to %d, not %d", len(causes), sum, change)
		}
	}
}

func TestThresholds_Places(t *testing.T) {
	t.Parallel()
	thresholds := points.Thresholds{Finishers: 5}
	if got := thresholds.Places(4); got != nil {
		t.Errorf("places of a map with 4 finishers: %v", got)
	}
	var got []int64
	for _, p := range thresholds.Places(31) {
		got = append(got, p.Place)
	}
	want := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 25, 30, 31}
	assert.Equal(t, "places", want, got)
	if first := thresholds.Places(31)[0]; first.Points() != 6000 {
		t.Errorf("the first place is worth %d", first.Points())
	}
}

func TestMonth(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("", 2*60*60)
	for _, tt := range []struct{ at, from, until string }{
		{"2026-05-31T23:59:59.999Z", "2026-05-01", "2026-06-01"},
		{"2026-06-01T00:00:00.000Z", "2026-06-01", "2026-07-01"},
		{"2026-12-31T23:59:00.000Z", "2026-12-01", "2027-01-01"},
	} {
		at, err := time.Parse(time.RFC3339, tt.at)
		require.NoError(t, err)
		from, until := points.Month(at.In(berlin))
		if from.Format(time.DateOnly) != tt.from || until.Format(time.DateOnly) != tt.until {
			t.Errorf("%s is in the month from %v until %v", tt.at, from, until)
		}
	}
}

func ExampleOf() {
	t := points.Of(points.Result{Opponents: 30, Slower: 29})
	fmt.Println(t.Finish.Float(), t.Beaten.Float(), t.Place.Float(), t.Points().Float())
	// Output: 18 446.6 69.6 534.2
}
