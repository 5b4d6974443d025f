package live_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/token"
)

func TestHandler_forms(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	g := s.startGateway()
	sse := open(t, g.url, "Accept-Encoding", "gzip")
	ndjson := open(t, g.url, "Accept", "application/x-ndjson", "Accept-Encoding", "gzip")
	for contentType, stream := range map[string]*stream{"text/event-stream": sse, "application/x-ndjson": ndjson} {
		header := stream.response.Header
		if stream.response.StatusCode != http.StatusOK || header.Get("Content-Type") != contentType ||
			header.Get("Content-Encoding") != "" || header.Get("X-Accel-Buffering") != "no" ||
			header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", contentType, stream.response.StatusCode, header)
		}
	}
	line, err := ndjson.lines.ReadString('\n')
	if line != `{"type":"position","id":0}`+"\n" || err != nil {
		t.Errorf("at the beginning: %q, %v", line, err)
	}
	sequence := s.publish(event.MapRemoved{MapID: id(1), Reason: "secret"})
	e := sse.want(t, "map.removed", sequence)
	line, err = ndjson.lines.ReadString('\n')
	for strings.HasPrefix(line, `{"type":"position"`) && err == nil {
		line, err = ndjson.lines.ReadString('\n')
	}
	if want := fmt.Sprintf("{\"type\":\"map.removed\",\"id\":%d,%s\n", sequence, e.data[1:]); line != want || err != nil {
		t.Errorf("got %q, %v; want %q", line, err, want)
	}
}

func TestHandler_resume(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const old = 5000 // more than a gateway has in memory
	s.publishRecords(old)
	g := s.startGateway()
	for name, stream := range map[string]*stream{
		"everything": open(t, g.url+"?after=0"),
		"by header":  open(t, g.url+"?after=4999", "Last-Event-ID", "3"),
	} {
		first := uint64(1)
		if name == "by header" {
			first = 4
		}
		stream.want(t, "record", numbers(first, old)...)
	}
	// None of the old facts is of this type: the reader is with the newest at once.
	maps := open(t, g.url+"?after=0&types=map")
	maps.want(t, "map.removed", s.publish(event.MapRemoved{MapID: id(1)}))
	near := open(t, fmt.Sprint(g.url, "?types=record&after=", old-10))
	newest := open(t, fmt.Sprint(g.url, "?after=", old+1))
	// It may begin before the map's event, which another reader has got from NATS.
	fresh := open(t, g.url+"?types=record")
	near.want(t, "record", numbers(old-9, old)...)
	s.publishRecords(1)
	for _, stream := range []*stream{near, newest, fresh} {
		stream.want(t, "record", old+2)
	}
	g.counts(t, "gateway_live_resumes_total", map[string]float64{"memory": 2, "stream": 3})
}

// A client that connects again and again, through two gateways in turn, misses no record and gets none twice.
func TestHandler_reconnects(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const clients, reconnects, perStream = 5, 20, 7
	s.publishRecords(5000)
	gateways := []gateway{s.startGateway(), s.startGateway()}
	ctx, cancel := context.WithCancel(t.Context())
	var publishing, reading sync.WaitGroup
	publishing.Go(func() {
		pace := time.NewTicker(2 * time.Millisecond) // 500 a second
		defer pace.Stop()
		for ctx.Err() == nil {
			<-pace.C
			s.publishRecords(1)
		}
	})
	for client := range clients {
		reading.Go(func() {
			// Some begin where only NATS has the records.
			last := uint64(client*1000 + 1)
			for n := range reconnects {
				stream, err := connect(ctx, gateways[(client+n)%2].url, "Last-Event-ID", fmt.Sprint(last))
				if err != nil {
					t.Error(err)
					return
				}
				for range 1 + (client+n)%perStream {
					e, err := stream.next()
					if err != nil || e.id != last+1 || !strings.Contains(e.data, id(int64(last+1))) {
						t.Errorf("client %d got %d after %d, %v", client, e.id, last, err)
						return
					}
					last = e.id
				}
				stream.close()
			}
		})
	}
	reading.Wait()
	cancel()
	publishing.Wait()
}

func TestHandler_reset(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.publishRecords(100)
	facts, err := s.js.Stream(t.Context(), event.FactsStream.Name)
	require.NoError(t, err)
	require.NoError(t, facts.Purge(t.Context(), jetstream.WithPurgeSequence(51)))
	g := s.startGateway()
	kept, lost := open(t, g.url+"?after=50"), open(t, g.url+"?after=49")
	beyond := open(t, g.url+"?after=5000")
	kept.want(t, "record", numbers(51, 100)...)
	for name, stream := range map[string]*stream{"too old": lost, "beyond the newest": beyond} {
		if e := stream.want(t, "reset", 100); e.data != `{"oldest":51}` {
			t.Errorf("%s: %s", name, e.data)
		}
	}
	s.publishRecords(1)
	for _, stream := range []*stream{kept, lost, beyond} {
		stream.want(t, "record", 101)
	}
	require.NoError(t, facts.Purge(t.Context()))
	// What is in memory is still known.
	open(t, g.url+"?after=100").want(t, "record", 101)
	if e := open(t, s.startGateway().url+"?after=100").want(t, "reset", 101); e.data != `{"oldest":102}` {
		t.Errorf("of an empty stream: %s", e.data)
	}
}

// A stream that was lost begins anew with the number 1. Reads that fail meanwhile are counted, readers stay connected.
func TestHandler_stream_that_is_replaced(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.publishRecords(100)
	g := s.startGateway()
	reader := open(t, g.url+"?after=99")
	reader.want(t, "record", 100)
	const failures = "gateway_live_read_failures_total"
	before := g.values(t, failures)[""] // a gateway may be faster than its connection
	require.NoError(t, s.js.DeleteStream(t.Context(), event.FactsStream.Name))
	eventually.WaitFor(t, "failed reads", func() bool { return g.values(t, failures)[""] > before+1 })
	require.NoError(t, eventbus.Provision(t.Context(), s.js, 1))
	e, err := reader.next()
	if err != nil || e.kind != "reset" || e.data != `{"oldest":1}` {
		t.Fatalf("%+v, %v", e, err)
	}
	s.publishRecords(3)
	reader.want(t, "record", numbers(e.id+1, 3)...)
	open(t, g.url+"?after=1").want(t, "record", 2, 3)
}

// Readers stay connected while NATS is away, and miss nothing.
func TestHandler_NATS_away(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.publishRecords(10)
	g := s.startGateway()
	reader := open(t, g.url+"?after=9")
	reader.want(t, "record", 10)
	s.nats.Stop()
	memory, ahead := open(t, g.url+"?after=5"), open(t, g.url+"?after=12")
	memory.want(t, "record", numbers(6, 10)...)
	s.nats.Restart()
	eventually.WaitFor(t, "the connection", s.nc.IsConnected)
	s.publishRecords(3)
	reader.want(t, "record", numbers(11, 13)...)
	memory.want(t, "record", numbers(11, 13)...)
	// The number may be of another gateway, or of a stream that was lost: that is known when NATS is back.
	if e, err := ahead.next(); err != nil || e.id != 13 && e.kind != "reset" {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestHandler_fact_that_cannot_be_read(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	g := s.startGateway()
	reader := open(t, g.url)
	for _, message := range []string{"{", "", `{"id":"1","data":{"mapId":"no id"}}`} {
		s.publishRaw(event.MapRemovedSubject, []byte(message))
	}
	s.publish(event.PlayerBanned{PlayerID: id(1), Reason: "secret"})
	reader.want(t, "map.removed", s.publish(event.MapRemoved{MapID: id(1)}))
	// Another reader finds the same in the stream.
	open(t, g.url+"?after=0").want(t, "map.removed", 5)
	g.counts(t, "gateway_live_facts_total", map[string]float64{"private": 1, "public": 1, "unreadable": 3})
}

// The streams of a gateway that stops end, with the time to connect again. Nothing is missed.
func TestHandler_restart(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.publishRecords(1)
	first := s.startGateway()
	streams := make([]*stream, 20)
	for i := range streams {
		streams[i] = open(t, first.url)
	}
	s.publishRecords(1)
	for _, stream := range streams {
		stream.want(t, "record", 2)
	}
	first.stop()
	s.publishRecords(20)
	second := s.startGateway()
	var reading sync.WaitGroup
	for _, old := range streams {
		reading.Go(func() {
			if e, err := old.next(); !errors.Is(err, io.EOF) || old.retry == "" {
				t.Errorf("the stream ended with %+v, %v, retry %q", e, err, old.retry)
			}
			next, err := connect(t.Context(), second.url, "Last-Event-ID", fmt.Sprint(old.lastID))
			if err != nil {
				t.Error(err)
				return
			}
			defer next.close()
			for want := uint64(3); want <= 22; want++ {
				if e, err := next.next(); err != nil || e.id != want {
					t.Errorf("got %d, %v, want %d", e.id, err, want)
					return
				}
			}
		})
	}
	reading.Wait()
}

func TestHandler_own_events(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	g := s.startGateway()
	bearer := func(player int64) string {
		raw, err := s.signer.Sign(token.Claims{PlayerID: id(player), Name: "cloudstep"})
		require.NoError(t, err)
		return "Bearer " + raw
	}
	url := g.url + "?types=map&me=true"
	mine, others := open(t, url, "Authorization", bearer(1)), open(t, url, "Authorization", bearer(2))
	withoutMe := open(t, g.url+"?types=map", "Authorization", bearer(1))
	s.publish(event.NotificationsAdded{PlayerIDs: []string{id(3), id(1)}, Kind: "overtaken"})
	removed := s.publish(event.MapRemoved{MapID: id(1)})
	if e, err := mine.next(); err != nil || e.kind != "inbox" || !strings.HasSuffix(e.data, `,"kind":"overtaken"}`) {
		t.Errorf("%+v, %v", e, err)
	}
	for _, stream := range []*stream{mine, others, withoutMe} {
		stream.want(t, "map.removed", removed)
	}
	for name, tt := range map[string]struct{ authorization, code string }{
		"no token":             {"", "token_missing"},
		"a token that is none": {"Bearer nonsense", "token_invalid"},
		"a token in the query": {"", "token_missing"},
	} {
		asked := url
		if name == "a token in the query" {
			asked += "&access_token=" + strings.TrimPrefix(bearer(1), "Bearer ")
		}
		if status, code := problemOf(t, asked, "Authorization", tt.authorization); status != http.StatusUnauthorized ||
			code != tt.code {
			t.Errorf("%s: %d %s", name, status, code)
		}
	}
}
