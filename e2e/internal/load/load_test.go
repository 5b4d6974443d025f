package load

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSidesTakeTurnsAndOnlyTheWarmUpIsNotCounted(t *testing.T) {
	t.Parallel()
	var order []string
	side := func(name string, rates ...float64) Side {
		return Side{Name: name, Measure: func(_ context.Context, length time.Duration) (Result, error) {
			order = append(order, name+" "+length.String())
			rate := rates[0]
			rates = rates[1:]
			return Result{Rate: rate, Median: time.Duration(rate), P99: time.Duration(2 * rate)}, nil
		}}
	}
	medians, err := Rounds{Count: 3, Length: 2 * time.Second}.Compare(t.Context(), side("a", 1, 10, 30, 20), side("b", 9, 4, 6, 5))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Result{{20, 20, 40}, {5, 5, 10}}, medians); diff != "" {
		t.Errorf("medians (-want +got):\n%s", diff)
	}
	want := []string{"a 1s", "b 1s", "a 2s", "b 2s", "a 2s", "b 2s", "a 2s", "b 2s"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestAComparisonEndsWithASideThatFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := Rounds{Count: 1, Length: time.Second}.Compare(t.Context(), Side{"a", func(context.Context, time.Duration) (Result, error) {
		return Result{}, broken
	}})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		of   []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{5, 1, 3}, 3}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := Median(tt.of, func(v float64) float64 { return v }); got != tt.want {
			t.Errorf("the median of %v is %v, want %v", tt.of, got, tt.want)
		}
	}
}

func TestWhatWrkSays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, output string
		once         bool
		want         Result
		wrong        bool
	}{
		{"a good measurement", "Running 2s test\nresult 5000 2000000 0 0 480 2100 7\n", false, Result{2500, 480 * time.Microsecond, 2100 * time.Microsecond}, false},
		{"answers that are no success", "result 5000 2000000 3 0 480 2100 0\n", false, Result{}, true},
		{"broken connections", "result 5000 2000000 0 1 480 2100 0\n", false, Result{}, true},
		{"no answers", "result 0 2000000 0 0 0 0 0\n", false, Result{}, true},
		{"paths asked twice", "result 5000 2000000 0 0 480 2100 1\n", true, Result{}, true},
		{"nothing", "wrk: unable to connect\n", false, Result{}, true},
	} {
		got, err := Reads{Paths: []string{"/"}, Once: tt.once}.read(tt.output)
		if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.wrong {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
}

func TestWhatPgbenchSays(t *testing.T) {
	t.Parallel()
	const good = `pgbench (15.13)
progress: 1.0 s, 900.0 tps, lat 9.1 ms stddev 2.0, 0 failed
progress: 2.0 s, 2000.5 tps, lat 8.0 ms stddev 1.9, 0 failed
progress: 3.0 s, 2001.5 tps, lat 8.0 ms stddev 1.9, 0 failed
`
	got, err := readProgress([]byte(good))
	if err != nil || got.Rate != 2001 {
		t.Errorf("got %v, %v; the first second prepares statements and does not count", got, err)
	}
	for name, output := range map[string]string{
		"failed transactions": "progress: 1.0 s, 9.0 tps, lat 9.1 ms stddev 2.0, 0 failed\nprogress: 2.0 s, 2.0 tps, lat 8.0 ms stddev 1.9, 2 failed\n",
		"a second alone":      "progress: 1.0 s, 9.0 tps, lat 9.1 ms stddev 2.0, 0 failed\n",
		"nothing":             "",
	} {
		if _, err := readProgress([]byte(output)); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}
