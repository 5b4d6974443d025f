package siege_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"capzone.dev/e2e/site"
)

func TestLimits_requests_of_one_address(t *testing.T) {
	const requests = 900
	statuses := map[int]int{}
	readWhile(t, time.Second, func(ctx context.Context) {
		attacker := newVisitor()
		for range requests {
			answer, err := attacker.Send(ctx, site.Request{Path: "/stats"})
			if err == nil {
				statuses[answer.Status]++
			}
		}
	})
	if statuses[http.StatusTooManyRequests] < 100 || statuses[http.StatusOK] < 500 {
		t.Errorf("%d requests of one address are answered %v", requests, statuses)
	}
}
