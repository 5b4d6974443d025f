package pages

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
)

const (
	// NoticeEvery is the longest that a replica says nothing. Who hears nothing
	// for several times as long has to expect that notices were lost.
	NoticeEvery = 250 * time.Millisecond
	// goodbyeTimeout is how long a stopping replica waits for its last notice to
	// be out.
	goodbyeTimeout = time.Second
)

// Notifier tells which pages of a service have changed. It numbers what it tells:
// a notice that was lost on the way, or that could not be sent, leaves a gap at
// which the next one makes its hearers drop everything of the service.
type Notifier struct {
	nc      *nats.Conn
	subject string
	replica string
	log     *slog.Logger

	mu     sync.Mutex
	number int64
}

// NewNotifier returns the notifier of one process of a service. Replica is the
// id that the process tells with its health, too.
func NewNotifier(nc *nats.Conn, service, replica string, log *slog.Logger) *Notifier {
	return &Notifier{nc: nc, subject: event.PagesSubject(service), replica: replica, log: log}
}

// Changed tells that whatever shows one of the tags is not what it was, and
// names the tags in the answer to the request of ctx, if that is one. It is
// called after the commit, and also where a commit failed: it may have happened.
func (n *Notifier) Changed(ctx context.Context, tags ...Tag) {
	add(ctx, ChangedHeader, tags)
	changed := make([]string, len(tags))
	for i, tag := range tags {
		changed[i] = string(tag)
	}
	n.tell(event.PageNotice{Changed: changed})
}

// Start begins to tell that this replica is there. Stop ends that with a
// goodbye; it is called when nothing is changed any more.
func (n *Notifier) Start() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		n.tell(event.PageNotice{})
		tick := time.NewTicker(NoticeEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				n.tell(event.PageNotice{})
			case <-end:
				n.tell(event.PageNotice{Leaving: true})
				n.flush()
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// tell numbers a notice and sends it. While NATS is away it only counts it: a
// notice that waits in the client's buffer would come too late.
func (n *Notifier) tell(notice event.PageNotice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.number++
	if !n.nc.IsConnected() {
		return
	}
	notice.Replica, notice.Number = n.replica, n.number
	body, err := json.Marshal(notice)
	if err == nil {
		err = n.nc.Publish(n.subject, body)
	}
	if err != nil {
		n.log.Warn("notice of changed pages was not sent", "error", err)
	}
}

func (n *Notifier) flush() {
	if err := n.nc.FlushTimeout(goodbyeTimeout); err != nil {
		n.log.Warn("notices of changed pages may be lost", "error", err)
	}
}

// ChangedByCommand tells, for an operator's command, that every page of the
// service may have changed, and waits until it is told. Where NATS is away, the
// log says that pages may be old for a while.
func ChangedByCommand(nc *nats.Conn, service string, log *slog.Logger) {
	if !connected(nc) {
		log.Warn("gateways could not be told that pages have changed: they may show old ones for some seconds")
		return
	}
	n := NewNotifier(nc, service, uuid.NewString(), log)
	n.tell(event.PageNotice{Changed: []string{string(Everything)}})
	n.tell(event.PageNotice{Leaving: true})
	n.flush()
}

// connected waits a moment for a connection that is being made.
func connected(nc *nats.Conn) bool {
	made := nc.StatusChanged(nats.CONNECTED)
	defer nc.RemoveStatusListener(made)
	if nc.IsConnected() {
		return true
	}
	select {
	case <-made:
	case <-time.After(goodbyeTimeout):
	}
	return nc.IsConnected()
}
