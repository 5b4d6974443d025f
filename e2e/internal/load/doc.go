// Package load drives servers with the field's load generators, wrk and pgbench,
// and compares what they measure in rounds.
package load

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Result is what one measurement says. Rates are per second.
type Result struct {
	Rate        float64
	Median, P99 time.Duration // 0 where the generator does not tell
}

// Side is one of those that are compared. Measure loads it for a while, in whole seconds.
type Side struct {
	Name    string
	Measure func(ctx context.Context, length time.Duration) (Result, error)
}

// Rounds says how a comparison goes.
type Rounds struct {
	Count  int
	Length time.Duration // of each measurement
}

// warmUp fills connections, plans and buffers, and is not counted.
const warmUp = time.Second

// Compare measures the sides in turn, so that all see the same weather, and
// returns the medians of the rounds, a side each.
func (r Rounds) Compare(ctx context.Context, sides ...Side) ([]Result, error) {
	all := make([][]Result, len(sides))
	for round := range r.Count + 1 {
		for i, side := range sides {
			length := r.Length
			if round == 0 {
				length = warmUp
			}
			result, err := side.Measure(ctx, length)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", side.Name, err)
			}
			if round > 0 {
				all[i] = append(all[i], result)
			}
		}
	}
	medians := make([]Result, len(sides))
	for i, results := range all {
		medians[i] = Result{
			Rate:   Median(results, func(r Result) float64 { return r.Rate }),
			Median: time.Duration(Median(results, func(r Result) float64 { return float64(r.Median) })),
			P99:    time.Duration(Median(results, func(r Result) float64 { return float64(r.P99) })),
		}
	}
	return medians, nil
}

// Median is the median of what value says of each.
func Median[T any](all []T, value func(T) float64) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	values := make([]float64, len(all))
	for i, v := range all {
		values[i] = value(v)
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// generators are the programs that this package runs, and the Debian packages that have them.
var generators = map[string]string{"wrk": "wrk", "pgbench": "postgresql"}

// Missing says which generators have to be installed, "" for none.
func Missing() string {
	var missing []string
	for program, of := range generators {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, fmt.Sprintf("%s (apt-get install %s)", program, of))
		}
	}
	slices.Sort(missing)
	return strings.Join(missing, ", ")
}

// seconds is a length as the generators take it.
func seconds(length time.Duration) string {
	return strconv.Itoa(max(1, int(length.Round(time.Second).Seconds())))
}
