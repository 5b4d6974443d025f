package live_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/live"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/token"
)

var discard = slog.New(slog.DiscardHandler)

// site is the stream FACTS and the gateways that serve it.
type site struct {
	t      *testing.T
	nats   *natstest.Server
	nc     *nats.Conn
	js     jetstream.JetStream
	signer *token.Signer
	// records counts the records that were published.
	records atomic.Int64
}

func newSite(t *testing.T) *site {
	t.Helper()
	key, err := token.NewKey()
	require.NoError(t, err)
	s := &site{t: t, nats: natstest.Start(t)}
	if s.signer, err = token.NewSigner([]token.Key{key}, time.Now); err != nil {
		t.Fatal(err)
	}
	s.nc, s.js = s.nats.Provision()
	return s
}

// id returns an id that ends with a number.
func id(n int64) string { return fmt.Sprintf("01970000-0000-7000-8000-%012d", n) }

// message returns the message of a fact.
func (s *site) message(f event.Fact) []byte {
	s.t.Helper()
	data, err := json.Marshal(f)
	require.NoError(s.t, err)
	message, err := json.Marshal(event.Envelope{ID: "e", At: time.Now(), Data: data})
	require.NoError(s.t, err)
	return message
}

// publish publishes a fact and returns its sequence.
func (s *site) publish(f event.Fact) uint64 {
	s.t.Helper()
	return s.publishRaw(f.Subject(), s.message(f))
}

func (s *site) publishRaw(subject string, message []byte) uint64 {
	s.t.Helper()
	ack, err := s.js.Publish(s.t.Context(), subject, message)
	require.NoError(s.t, err)
	return ack.Sequence
}

// publishRecords publishes n records. The id of each is its number, from 1, and its sequence where nothing else was
// published.
func (s *site) publishRecords(n int) {
	s.t.Helper()
	for range n {
		number := s.records.Add(1)
		record := event.RecordSubmitted{RecordID: id(number), MapID: id(1), PlayerID: id(2), FinishTime: number}
		_, err := s.js.PublishAsync(record.Subject(), s.message(record))
		require.NoError(s.t, err)
	}
	<-s.js.PublishAsyncComplete()
}

// gateway is a gateway that serves the stream and nothing else.
type gateway struct {
	url     string
	stop    func()
	metrics *prometheus.Registry
}

// startGateway starts a gateway that has read the stream.
func (s *site) startGateway() gateway {
	s.t.Helper()
	nc, err := eventbus.Connect(s.nats.URL(), "gateway", discard, nats.ReconnectWait(10*time.Millisecond))
	require.NoError(s.t, err)
	s.t.Cleanup(nc.Close)
	js, err := eventbus.JetStream(nc)
	require.NoError(s.t, err)
	g := gateway{metrics: prometheus.NewRegistry()}
	hub := live.NewHub(nc, js, discard, g.metrics)
	engine := httpserve.NewEngine(httpserve.Options{Log: discard})
	engine.GET("/events", live.Handler(hub, token.NewLocalVerifier(s.signer)))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(s.t, err)
	g.url = "http://" + listener.Addr().String() + "/events"
	ctx, stop := context.WithCancel(context.WithoutCancel(s.t.Context()))
	served := make(chan struct{})
	go func() { _ = hub.Run(ctx) }()
	go func() {
		defer close(served)
		_ = httpserve.Serve(ctx, listener, engine, httpserve.Drain{HealthPath: httpserve.HealthPath}, discard)
	}()
	g.stop = func() { stop(); <-served }
	s.t.Cleanup(g.stop)
	eventually.WaitFor(s.t, "the gateway to have read the stream", func() bool {
		stream, err := connect(s.t.Context(), g.url)
		if err != nil {
			return false
		}
		defer stream.close()
		return stream.response.StatusCode == http.StatusOK
	})
	return g
}

// counts fails the test unless a counter has these values by the value of its label.
func (g gateway) counts(t *testing.T, name string, want map[string]float64) {
	t.Helper()
	assert.Equal(t, name, want, g.values(t, name))
}

// values returns the values of a counter by the value of its label, which is empty where it has none.
func (g gateway) values(t *testing.T, name string) map[string]float64 {
	t.Helper()
	families, err := g.metrics.Gather()
	require.NoError(t, err)
	got := map[string]float64{}
	for _, f := range families {
		if f.GetName() == name {
			for _, m := range f.GetMetric() {
				label := ""
				for _, l := range m.GetLabel() {
					label = l.GetValue()
				}
				got[label] = m.GetCounter().GetValue()
			}
		}
	}
	return got
}

// received is an event as a client gets it.
type received struct {
	kind string
	id   uint64
	data string
}

// stream is a client's stream.
type stream struct {
	response *http.Response
	lines    *bufio.Reader
	// lastID is the number with which the client connects again. retry is what the server has asked it to wait.
	lastID uint64
	retry  string
}

// patience is how long a test reads a stream.
const patience = 30 * time.Second

// open opens a stream. headers are names and values in turn.
func open(t *testing.T, url string, headers ...string) *stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	s, err := connect(ctx, url, headers...)
	require.NoError(t, err)
	t.Cleanup(s.close)
	return s
}

// connect opens a stream on a connection of its own.
func connect(ctx context.Context, url string, headers ...string) (*stream, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return nil, err
	}
	return &stream{response: response, lines: bufio.NewReader(response.Body)}, nil
}

func (s *stream) close() { _ = s.response.Body.Close() }

// next returns the next event of a stream in the form text/event-stream. It returns io.EOF at the end of the stream.
func (s *stream) next() (e received, err error) {
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimSuffix(line, "\n")
		field, value, _ := strings.Cut(line, ": ")
		switch {
		case line == "" && e.data != "":
			return e, nil
		case field == "id":
			if e.id, err = strconv.ParseUint(value, 10, 64); err != nil {
				return e, err
			}
			s.lastID = e.id
		case field == "event":
			e.kind = value
		case field == "data":
			e.data = value
		case field == "retry":
			s.retry = value
		}
	}
}

// want fails the test unless the next events are of these kinds, with these numbers.
func (s *stream) want(t *testing.T, kind string, ids ...uint64) (last received) {
	t.Helper()
	for _, id := range ids {
		e, err := s.next()
		if err != nil || e.kind != kind || e.id != id {
			t.Fatalf("got event %d %s %s, %v; want %d %s", e.id, e.kind, e.data, err, id, kind)
		}
		last = e
	}
	return last
}

// numbers returns the numbers from first to last.
func numbers(first, last uint64) (all []uint64) {
	for n := first; n <= last; n++ {
		all = append(all, n)
	}
	return all
}

// problemOf returns the status and the code of a refused request.
func problemOf(t *testing.T, url string, headers ...string) (status int, code string) {
	t.Helper()
	s := open(t, url, headers...)
	body, err := io.ReadAll(s.response.Body)
	require.NoError(t, err)
	var failure httpserve.Failure
	if err := json.Unmarshal(body, &failure); err != nil {
		t.Fatalf("%d %s", s.response.StatusCode, body)
	}
	return s.response.StatusCode, failure.Code
}
