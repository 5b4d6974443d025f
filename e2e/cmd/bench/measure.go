package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// read is one kind of request.
type read struct {
	Name string
	// Path returns the path of the next request, under /api/v1.
	Path func(r *rand.Rand) string
}

// result holds the latencies of one measurement, sorted.
type result struct {
	latencies []time.Duration
	took      time.Duration
}

func (r result) perSecond() float64 { return float64(len(r.latencies)) / r.took.Seconds() }

func (r result) quantile(q float64) time.Duration {
	return r.latencies[min(len(r.latencies)-1, int(q*float64(len(r.latencies))))]
}

// warmUp fills connections and plans, and is not counted.
const warmUp = 500 * time.Millisecond

// measure asks over and over on so many connections.
func measure(ctx context.Context, site string, what read, connections int, length time.Duration) (result, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
	defer client.CloseIdleConnections()
	if _, err := ask(ctx, client, site, what, connections, warmUp); err != nil {
		return result{}, err
	}
	began := time.Now()
	latencies, err := ask(ctx, client, site, what, connections, length)
	if err != nil {
		return result{}, err
	}
	took := time.Since(began)
	slices.Sort(latencies)
	return result{latencies, took}, nil
}

func ask(ctx context.Context, client *http.Client, site string, what read, connections int, length time.Duration) ([]time.Duration, error) {
	each := make([][]time.Duration, connections)
	end := time.Now().Add(length)
	g, ctx := errgroup.WithContext(ctx)
	for i := range connections {
		g.Go(func() error {
			r := rand.New(rand.NewPCG(1, uint64(i))) //nolint:gosec // the same requests in each run
			for time.Now().Before(end) {
				began := time.Now()
				if err := get(ctx, client, site+"/api/v1"+what.Path(r)); err != nil {
					return fmt.Errorf("%s: %w", what.Name, err)
				}
				each[i] = append(each[i], time.Since(began))
			}
			return nil
		})
	}
	err := g.Wait()
	return slices.Concat(each...), err
}

func get(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, body)
	}
	return err
}
