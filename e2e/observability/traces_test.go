package observability_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"capzone.dev/devstack/eventually"
)

// span is a part of a trace, as a process exported it.
type span struct {
	process, name, id, parent, trace string
	requestID                        string
	attributes                       string
}

// receiver takes spans in as a collector does.
type receiver struct {
	server *httptest.Server

	mu    sync.Mutex
	spans []span
}

func startReceiver() *receiver {
	r := &receiver{}
	r.server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		// An export request and stored traces are the same message.
		var data tracepb.TracesData
		if err == nil && req.URL.Path == "/v1/traces" && proto.Unmarshal(body, &data) == nil {
			r.add(&data)
		}
	}))
	return r
}

func (r *receiver) add(data *tracepb.TracesData) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, resource := range data.GetResourceSpans() {
		process := ""
		for _, a := range resource.GetResource().GetAttributes() {
			if a.GetKey() == "service.name" {
				process = a.GetValue().GetStringValue()
			}
		}
		for _, scope := range resource.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				exported := span{
					process: process, name: s.GetName(), id: hex.EncodeToString(s.GetSpanId()),
					parent: hex.EncodeToString(s.GetParentSpanId()), trace: hex.EncodeToString(s.GetTraceId()),
				}
				for _, a := range s.GetAttributes() {
					exported.attributes += a.GetValue().String() + "\n"
					if a.GetKey() == "request.id" {
						exported.requestID = a.GetValue().GetStringValue()
					}
				}
				r.spans = append(r.spans, exported)
			}
		}
	}
}

func (r *receiver) trace(id string) (of []span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.spans {
		if s.trace == id {
			of = append(of, s)
		}
	}
	return of
}

// awaitTrace waits until a trace has all these spans ("process: name"), and that each of its spans is the child of
// another, but for the one that the browser's span is the parent of.
func awaitTrace(t *testing.T, id, browser string, wanted ...string) {
	t.Helper()
	var spans []span
	missing := ""
	defer func() {
		if t.Failed() {
			t.Logf("%s missing or torn off in %+v", missing, spans)
		}
	}()
	eventually.WaitFor(t, "the trace "+id, func() bool {
		spans = collector.trace(id)
		ids := map[string]bool{browser: true}
		names := ""
		for _, s := range spans {
			ids[s.id] = true
			names += s.process + ": " + s.name + "\n"
		}
		for _, want := range wanted {
			if missing = want; !strings.Contains(names, want+"\n") {
				return false
			}
		}
		for _, s := range spans {
			if missing = s.name; !ids[s.parent] {
				return false
			}
		}
		return true
	})
}

// A submitted record has one trace, from the browser's POST to the last copy of the counts, with the browser's id.
func TestTraces_submission(t *testing.T) {
	t.Parallel()
	requestsMade(t)
	awaitTrace(t, browsersTrace, browsersSpan,
		"gateway: POST /api/v1/records/submit",
		"gateway: POST",
		"records: POST /api/v1/records/submit",
		"records: PUT",
		"records: publish state.v1.mapstats",
		"records: publish state.v1.playerstats",
		"records: publish facts.v1.record.submitted",
		"maps: process maps-copies",
		"players: process players-copies",
	)
	statements := map[string]bool{}
	for _, s := range collector.trace(browsersTrace) {
		if strings.Contains(s.attributes, "insert into outbox") {
			statements["outbox"] = true
		}
		if s.process == "maps" && strings.Contains(s.attributes, "update ") || strings.Contains(s.attributes, "insert into") {
			statements["copy"] = true
		}
	}
	if len(statements) != 2 {
		t.Errorf("of the statements only %v are spans", statements)
	}
}

// An event makes the first record of a map, in the trace of the map's submission.
func TestTraces_of_events(t *testing.T) {
	t.Parallel()
	d := requestsMade(t)
	awaitTrace(t, traceOf(t, d.mapID), "",
		"gateway: POST /api/v1/maps/submit",
		"maps: publish facts.v1.map.created",
		"records: process records-maps",
		// The map's total is not among them: where the next record follows at once, only the newer total is published.
		"records: publish state.v1.playerstats",
		"players: process players-copies",
	)
}

// A login asks a bot for a room, within the trace of the request.
func TestTraces_login(t *testing.T) {
	t.Parallel()
	d := requestsMade(t)
	awaitTrace(t, traceOf(t, d.loginID), "",
		"gateway: GET /api/v1/auth/request-room-link",
		"auth: request room.v1.open",
		"bot: answer room.v1.open",
	)
}

// traceOf finds a trace by the id of its request, as an operator does.
func traceOf(t *testing.T, requestID string) (id string) {
	t.Helper()
	eventually.WaitFor(t, "a span of request "+requestID, func() bool {
		collector.mu.Lock()
		defer collector.mu.Unlock()
		for _, s := range collector.spans {
			if s.requestID == requestID {
				id = s.trace
				return true
			}
		}
		return false
	})
	return id
}

func TestTraces_without_secrets(t *testing.T) {
	t.Parallel()
	d := requestsMade(t)
	awaitTrace(t, browsersTrace, browsersSpan, "players: process players-copies")
	collector.mu.Lock()
	defer collector.mu.Unlock()
	for what, secret := range d.secrets {
		for _, s := range collector.spans {
			if strings.Contains(s.attributes, secret) || strings.Contains(s.name, secret) {
				t.Errorf("the span %s of %s contains the %s", s.name, s.process, what)
			}
		}
	}
}
