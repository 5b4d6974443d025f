// Package freshness decides until when the pages that the gateway keeps may be
// shown. It hears what the replicas of the services tell of changed pages
// (platform/pages), and concludes from numbers and silence whether it hears all
// of it: while it may have missed something, nothing that is kept is shown.
//
// What can go wrong, and what follows:
//
//   - A notice is lost. The replica's next one, a quarter of a second later, leaves
//     a gap in the numbers, and everything of the service is dropped.
//   - A replica dies between a commit and its notice. It falls silent, and a second
//     later the pages of its service are not shown. When it is no longer among the
//     replicas they are dropped, and kept anew.
//   - A replica has no connection to NATS. It is among the replicas that answer
//     health checks, and is not heard: the pages are not shown.
//   - The gateway has no connection. Everything is dropped, and nothing is shown
//     until every replica is heard again.
//   - The gateway falls behind in reading notices, or stands still for a while. Only
//     a notice with none waiting behind it counts as heard.
package freshness

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/event"
	"capzone.dev/platform/pages"
)

// Replicas knows which replicas of a service there are.
type Replicas interface {
	// Replicas returns the ids of those that can be reached. Complete is false
	// where one of them has not told its id.
	Replicas() (ids []string, complete bool)
}

// Listener hears the notices of all services.
type Listener struct {
	nc       *nats.Conn
	log      *slog.Logger
	trackers map[string]*tracker // by subject
	replicas map[string]Replicas // by subject
	heard    *prometheus.CounterVec

	mu sync.Mutex
	// connection is how often the connection had been made again when it was last looked at.
	connection uint64
}

// NewListener returns a listener on a connection, that may yet have to be made.
func NewListener(nc *nats.Conn, log *slog.Logger) *Listener {
	return &Listener{
		nc: nc, log: log, trackers: map[string]*tracker{}, replicas: map[string]Replicas{},
		heard: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gateway_page_notices_total",
			Help: "Notices of changed pages that were heard, by service.",
		}, []string{"service"}),
	}
}

// Add has the listener decide until when the pages of a service are fresh. Called before Run.
func (l *Listener) Add(service string, p Pages, r Replicas) {
	subject := event.PagesSubject(service)
	l.trackers[subject], l.replicas[subject] = newTracker(p), r
}

// Run listens until ctx ends.
func (l *Listener) Run(ctx context.Context) error {
	sub, err := l.nc.Subscribe(event.EveryPagesSubject, l.receive)
	if err != nil {
		return fmt.Errorf("listen for changed pages: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	tick := time.NewTicker(pages.NoticeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			l.look()
		}
	}
}

func (l *Listener) receive(msg *nats.Msg) {
	tracker := l.trackers[msg.Subject]
	if tracker == nil || !l.listens() {
		return // of a service whose pages nobody keeps, or from before the connection was lost
	}
	var n event.PageNotice
	if err := json.Unmarshal(msg.Data, &n); err != nil || n.Replica == "" {
		// Its number is missing when the next one comes.
		l.log.Warn("notice of changed pages cannot be read", "subject", msg.Subject, "error", err)
		return
	}
	l.heard.WithLabelValues(strings.TrimPrefix(msg.Subject, event.PagesSubject(""))).Inc()
	waiting, _, err := msg.Sub.Pending() // with this one
	tracker.notice(n, err == nil && waiting <= 1, time.Now())
}

// look sees which replicas there are.
func (l *Listener) look() {
	listens := l.listens()
	for subject, t := range l.trackers {
		ids, complete := l.replicas[subject].Replicas()
		t.expect(ids, complete && listens, time.Now())
	}
}

// listens tells whether there is a connection. When it was lost, all that was
// heard on it before counts for nothing.
func (l *Listener) listens() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	connected, connection := l.nc.IsConnected(), l.nc.Stats().Reconnects
	if !connected || connection != l.connection {
		l.connection = connection
		for _, t := range l.trackers {
			t.disconnected()
		}
	}
	return connected
}

// Describe implements prometheus.Collector.
func (l *Listener) Describe(descs chan<- *prometheus.Desc) { l.heard.Describe(descs) }

// Collect implements prometheus.Collector.
func (l *Listener) Collect(metrics chan<- prometheus.Metric) { l.heard.Collect(metrics) }
