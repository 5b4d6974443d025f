package objectstore

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var requests = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name:    "objectstore_request_duration_seconds",
	Help:    "Duration of requests to the object storage, by method and status (error if there was no answer).",
	Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
}, []string{"method", "status"})

// measured measures the requests of next.
type measured struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (m measured) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	resp, err := m.next.RoundTrip(r)
	status := "error"
	if err == nil {
		status = strconv.Itoa(resp.StatusCode)
	}
	requests.WithLabelValues(r.Method, status).Observe(time.Since(began).Seconds())
	return resp, err
}
