package pages_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/pages"
)

// hearer reads the notices of the service "records".
type hearer struct {
	t   *testing.T
	sub *nats.Subscription
}

func hear(t *testing.T, server *natstest.Server) hearer {
	t.Helper()
	nc, _ := server.Connect()
	sub, err := nc.SubscribeSync(event.PagesSubject("records"))
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return hearer{t, sub}
}

// next returns the next notice that says more than that its replica is there.
func (h hearer) next() (n event.PageNotice) {
	h.t.Helper()
	for {
		msg, err := h.sub.NextMsg(20 * time.Second)
		if err != nil {
			h.t.Fatal(err)
		}
		n = event.PageNotice{}
		if err := json.Unmarshal(msg.Data, &n); err != nil {
			h.t.Fatal(err)
		}
		if len(n.Changed) > 0 || n.Leaving {
			return n
		}
	}
}

var quiet = slog.New(slog.DiscardHandler)

func TestNoticesAreNumberedAndEndWithAGoodbye(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t)
	h := hear(t, server)
	nc, _ := server.Connect()
	n := pages.NewNotifier(nc, "records", "replica-1", quiet)
	stop := n.Start()
	n.Changed(t.Context(), pages.Map("M1"), pages.Runs)
	n.Changed(t.Context(), pages.Player("p1"))
	stop()

	first, second, last := h.next(), h.next(), h.next()
	if diff := cmp.Diff([]string{"map:m1", "runs"}, first.Changed); diff != "" {
		t.Errorf("the first notice (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"player:p1"}, second.Changed); diff != "" {
		t.Errorf("the second notice (-want +got):\n%s", diff)
	}
	if !last.Leaving || first.Leaving || second.Leaving {
		t.Errorf("the goodbye is not the last: %+v, %+v, %+v", first, second, last)
	}
	if first.Number >= second.Number || second.Number >= last.Number {
		t.Errorf("numbers %d, %d, %d", first.Number, second.Number, last.Number)
	}
	for _, notice := range []event.PageNotice{first, second, last} {
		if notice.Replica != "replica-1" {
			t.Errorf("a notice of %q", notice.Replica)
		}
	}
}

// What could not be told leaves a gap, by which hearers know that they missed something.
func TestWhatIsNotHeardLeavesAGap(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t)
	nc, _ := server.Connect()
	n := pages.NewNotifier(nc, "records", "replica-1", quiet)
	h := hear(t, server)
	n.Changed(t.Context(), pages.Runs)
	before := h.next()
	server.Stop()
	eventually.That(t, "the loss of the connection", func() bool { return !nc.IsConnected() })
	n.Changed(t.Context(), pages.Runs)
	server.Restart()
	eventually.That(t, "the connection", nc.IsConnected)
	h = hear(t, server)
	n.Changed(t.Context(), pages.Totals)
	after := h.next()
	if diff := cmp.Diff([]string{"totals"}, after.Changed); diff != "" {
		t.Errorf("what waited while NATS was away came late (-want +got):\n%s", diff)
	}
	if after.Number != before.Number+2 {
		t.Errorf("number %d comes after %d, want a gap of one", after.Number, before.Number)
	}
}

func TestACommandTellsOfEverythingOrSaysThatItCannot(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t)
	h := hear(t, server)
	nc, _ := server.Connect()
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	pages.ChangedByCommand(nc, "records", log)
	if notice := h.next(); !cmp.Equal(notice.Changed, []string{"*"}) {
		t.Errorf("the notice is %+v", notice)
	}
	if said.Len() > 0 {
		t.Errorf("the log says %s", said.String())
	}
	server.Stop()
	eventually.That(t, "the loss of the connection", func() bool { return !nc.IsConnected() })
	pages.ChangedByCommand(nc, "records", log)
	if !strings.Contains(said.String(), "could not be told") {
		t.Errorf("the log says %q", said.String())
	}
}
