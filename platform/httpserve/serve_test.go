package httpserve_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"

	dto "github.com/prometheus/client_model/go"

	"capzone.dev/platform/httpserve"
)

type noMetrics struct{}

func (noMetrics) Gather() ([]*dto.MetricFamily, error) { return nil, nil }

func TestAStoppingServerFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	arrived, finish := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-finish
		if r.Context().Err() == nil {
			_, _ = io.WriteString(w, "finished")
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- httpserve.Serve(ctx, listener, handler, slog.New(slog.DiscardHandler)) }()

	answer := make(chan string, 1)
	go func() {
		resp, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		answer <- string(body)
	}()
	<-arrived
	stop()
	close(finish)
	if got := <-answer; got != "finished" {
		t.Errorf("the request in flight got %q", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
