package simulated

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
)

// recorder is a verification.Watcher that records what is reported to it.
type recorder struct {
	visits int64
	full   bool
	events []string
	joined []event.Visitor
}

func (w *recorder) Joined(v event.Visitor) int64 {
	if w.full {
		return 0
	}
	w.visits++
	w.events = append(w.events, fmt.Sprintf("%s joined as %d", v.Name, w.visits))
	w.joined = append(w.joined, v)
	return w.visits
}

func (w *recorder) Left(visit int64) { w.events = append(w.events, fmt.Sprintf("%d left", visit)) }
func (w *recorder) Renamed(visit int64, name string) {
	w.events = append(w.events, fmt.Sprintf("%d is now %s", visit, name))
}
func (w *recorder) HostChanged(reason string) { w.events = append(w.events, "host changed: "+reason) }
func (w *recorder) Lost(reason string)        { w.events = append(w.events, "lost: "+reason) }

// setup returns an open room, its watcher, and a client of its server.
func setup(t *testing.T) (verification.GameRoom, *recorder, client) {
	t.Helper()
	rooms, watcher := New("http://rooms.test"), &recorder{}
	room, err := rooms.Open(t.Context())
	require.NoError(t, err)
	room.Watch(watcher)
	return room, watcher, client{t, rooms.Handler(slog.New(slog.DiscardHandler)), room.Link()}
}

type client struct {
	t       *testing.T
	handler http.Handler
	link    string
}

func (c client) post(what, body string, headers ...string) (status int, answer string) {
	c.t.Helper()
	return c.send(http.MethodPost, c.link+"/"+what, body, headers...)
}

func (c client) send(method, url, body string, headers ...string) (status int, answer string) {
	c.t.Helper()
	req := httptest.NewRequestWithContext(c.t.Context(), method, url, strings.NewReader(body))
	for pair := range slices.Chunk(headers, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	recorder := httptest.NewRecorder()
	c.handler.ServeHTTP(recorder, req)
	return recorder.Code, recorder.Body.String()
}

func TestHandler_join_and_leave(t *testing.T) {
	const join = `{"name":"cloudstep","level":57}`
	type call struct {
		what, body string
		status     int
		answer     string // begins so
	}
	cases := []struct {
		name   string
		calls  []call
		events []string
	}{
		{
			"join",
			[]call{{"join", join, 200, `{"visit":1}`}},
			[]string{"cloudstep joined as 1"},
		},
		{
			"name with spaces around it",
			[]call{{"join", `{"name":"  cloudstep "}`, 200, `{"visit":1}`}},
			[]string{"cloudstep joined as 1"},
		},
		{
			"leave without a body is the newest visitor",
			[]call{{"join", join, 200, `{"visit":1}`}, {"join", `{"name":"mossfoot"}`, 200, `{"visit":2}`},
				{"leave", "", 200, "{}"}, {"leave", "", 200, "{}"}},
			[]string{"cloudstep joined as 1", "mossfoot joined as 2", "2 left", "1 left"},
		},
		{
			"leave with a visit",
			[]call{{"join", join, 200, `{"visit":1}`}, {"join", `{"name":"mossfoot"}`, 200, `{"visit":2}`},
				{"leave", `{"visit":1}`, 200, "{}"}},
			[]string{"cloudstep joined as 1", "mossfoot joined as 2", "1 left"},
		},
		{
			"leave an empty room",
			[]call{{"leave", "", 409, `{"success":false,"code":"not_inside"`}},
			nil,
		},
		{
			"leave twice",
			[]call{{"join", join, 200, `{"visit":1}`}, {"leave", `{"visit":1}`, 200, "{}"},
				{"leave", `{"visit":1}`, 409, `{"success":false,"code":"not_inside"`}},
			[]string{"cloudstep joined as 1", "1 left"},
		},
		{
			"third visitor",
			[]call{{"join", join, 200, `{"visit":1}`}, {"join", join, 200, `{"visit":2}`},
				{"join", join, 409, `{"success":false,"code":"room_full"`}},
			[]string{"cloudstep joined as 1", "cloudstep joined as 2"},
		},
		{
			"join after another visitor left",
			[]call{{"join", join, 200, `{"visit":1}`}, {"join", join, 200, `{"visit":2}`}, {"leave", "", 200, "{}"},
				{"join", join, 200, `{"visit":3}`}},
			[]string{"cloudstep joined as 1", "cloudstep joined as 2", "2 left", "cloudstep joined as 3"},
		},
		{
			"rename",
			[]call{{"join", join, 200, `{"visit":1}`}, {"rename", `{"name":"mossfoot"}`, 200, "{}"},
				{"rename", `{"name":""}`, 422, `{"success":false,"code":"visitor_refused"`}},
			[]string{"cloudstep joined as 1", "1 is now mossfoot"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, watcher, client := setup(t)
			for _, call := range c.calls {
				status, answer := client.post(call.what, call.body)
				if status != call.status || !strings.HasPrefix(answer, call.answer) {
					t.Errorf("%s %s: got %d %s, want %d %s", call.what, call.body, status, answer, call.status,
						call.answer)
				}
			}
			assert.Equal(t, "events", c.events, watcher.events)
		})
	}
}

func TestHandler_join_validates(t *testing.T) {
	skin := `{"layers":[],"bc":9315498}`
	wide := `{"layers":"` + strings.Repeat("x", verification.MaxSkin) + `"}`
	cases := []struct {
		name, body string
		status     int
		code       string
		field      string
	}{
		{"player", `{"name":"cloudstep","level":57,"guest":false,"skin":` + skin + `}`, 200, "", ""},
		{"guest", `{"name":"cloudstep","level":0,"guest":true,"skin":null}`, 200, "", ""},
		{"highest level", `{"name":"cloudstep","level":10000}`, 200, "", ""},
		{"no name", `{"level":57}`, 422, "visitor_refused", "name"},
		{"name of 65 characters", `{"name":"` + strings.Repeat("x", 65) + `"}`, 422, "visitor_refused", "name"},
		{"control character", `{"name":"cloud\u0000step"}`, 422, "visitor_refused", "name"},
		{"level below 0", `{"name":"cloudstep","level":-1}`, 422, "visitor_refused", "level"},
		{"level above 10000", `{"name":"cloudstep","level":10001}`, 422, "visitor_refused", "level"},
		{"skin that is no object", `{"name":"cloudstep","skin":"green"}`, 422, "visitor_refused", "skin"},
		{"skin above 16 KiB", `{"name":"cloudstep","skin":` + wide + `}`, 422, "visitor_refused", "skin"},
		{"request above 20 KiB", `{"name":"` + strings.Repeat("x", maxBody) + `"}`, 413, "request_too_large", ""},
		{"no JSON", "name=cloudstep", 400, "malformed_request", ""},
		{"no body", "", 400, "malformed_request", ""},
		{"level that is no number", `{"name":"cloudstep","level":"high"}`, 400, "malformed_request", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, watcher, client := setup(t)
			status, answer := client.post("join", c.body)
			var got httpserve.Failure
			if err := json.Unmarshal([]byte(answer), &got); err != nil {
				t.Fatalf("%s: %v", answer, err)
			}
			if status != c.status || got.Code != c.code {
				t.Errorf("got %d %s, want %d %s", status, answer, c.status, c.code)
			}
			if c.field != "" && (len(got.Errors) != 1 || got.Errors[0].Field != c.field) {
				t.Errorf("fields at fault: %v, want %s", got.Errors, c.field)
			}
			if joined := len(watcher.joined) == 1; joined != (c.status == 200) {
				t.Errorf("%d visitors joined", len(watcher.joined))
			}
		})
	}
}

func TestHandler_join_refused_by_the_bot(t *testing.T) {
	_, watcher, client := setup(t)
	watcher.full = true
	if status, answer := client.post("join", `{"name":"cloudstep"}`); status != 409 {
		t.Errorf("got %d %s", status, answer)
	}
	if status, answer := client.post("leave", ""); status != 409 {
		t.Errorf("leave: %d %s", status, answer)
	}
}

func TestHandler_messages(t *testing.T) {
	room, _, client := setup(t)
	if _, answer := client.send(http.MethodGet, client.link+"/messages", ""); answer != "[]\n" {
		t.Errorf("the messages of a new room are %q", answer)
	}
	for _, text := range []string{"Your code is 042917.", "Never pass it on."} {
		require.NoError(t, room.Say(t.Context(), text))
	}
	_, answer := client.send(http.MethodGet, client.link+"/messages", "")
	var got []message
	require.NoError(t, json.Unmarshal([]byte(answer), &got))
	if len(got) != 2 || got[0].From != "Capzone" || got[0].Text != "Your code is 042917." ||
		time.Since(got[0].At) > time.Minute {
		t.Errorf("got %+v", got)
	}
}

func TestRoom_Close_keeps_the_chat_for_a_minute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room, _, client := setup(t)
		client.post("join", `{"name":"cloudstep"}`)
		_ = room.Say(t.Context(), "Welcome aboard.")
		for range 2 { // the second time does nothing
			require.NoError(t, room.Close(t.Context()))
		}
		if status, answer := client.send(http.MethodGet, client.link+"/messages", ""); status != 200 ||
			!strings.Contains(answer, "Welcome aboard.") {
			t.Errorf("messages: %d %s", status, answer)
		}
		if status, answer := client.post("join", `{"name":"mossfoot"}`); status != 409 ||
			!strings.Contains(answer, "room_closed") {
			t.Errorf("join: %d %s", status, answer)
		}
		time.Sleep(readableFor) // within synctest: no real time passes
		synctest.Wait()
		for _, what := range []string{"", "/messages"} {
			if status, _ := client.send(http.MethodGet, client.link+what, ""); status != 404 {
				t.Errorf("%q after a minute: %d", what, status)
			}
		}
	})
}

func TestHandler_unknown_rooms(t *testing.T) {
	_, _, client := setup(t)
	for _, c := range []struct{ method, path string }{
		{"GET", "/rooms/unknown"}, {"GET", "/rooms/unknown/messages"},
		{"POST", "/rooms/unknown/join"}, {"POST", "/rooms/unknown/leave"}, {"POST", "/rooms/unknown/rename"},
		{"GET", "/rooms/"}, {"GET", "/"}, {"GET", "/assets/room.html"}, {"GET", "/assets/"},
	} {
		if status, answer := client.send(c.method, c.path, `{"name":"cloudstep"}`); status != http.StatusNotFound {
			t.Errorf("%s %s: %d %s", c.method, c.path, status, answer)
		}
	}
}

func TestHandler_requests_of_other_sites(t *testing.T) {
	cases := []struct {
		name    string
		headers []string
		status  int
	}{
		{"script", nil, 200},
		{"the room's own page", []string{"Origin", "http://rooms.test", "Sec-Fetch-Site", "same-origin"}, 200},
		{"the room's own page in an old browser", []string{"Origin", "http://rooms.test"}, 200},
		{"another site", []string{"Origin", "http://evil.test", "Sec-Fetch-Site", "cross-site"}, 403},
		{"another port", []string{"Origin", "http://rooms.test:81"}, 403},
		{"sandboxed page", []string{"Origin", "null"}, 403},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, _, client := setup(t)
			if status, answer := client.post("join", `{"name":"cloudstep"}`, c.headers...); status != c.status {
				t.Errorf("got %d %s, want %d", status, answer, c.status)
			}
		})
	}
}

func TestHandler_page(t *testing.T) {
	_, _, client := setup(t)
	req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, client.link, nil)
	recorder := httptest.NewRecorder()
	client.handler.ServeHTTP(recorder, req)
	page := recorder.Body.String()
	policy := recorder.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q has no %s", policy, want)
		}
	}
	for _, bad := range []string{"<script>", " style=", " onclick="} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s, which its policy forbids", bad)
		}
	}
	for path, kind := range map[string]string{"/assets/room.css": "text/css", "/assets/room.js": "text/javascript"} {
		recorder := httptest.NewRecorder()
		client.handler.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		body, _ := io.ReadAll(recorder.Body)
		if recorder.Code != 200 || !strings.HasPrefix(recorder.Header().Get("Content-Type"), kind) || len(body) == 0 {
			t.Errorf("%s: %d %s, %d bytes", path, recorder.Code, recorder.Header().Get("Content-Type"), len(body))
		}
	}
}

func TestHandler_join_reports_the_visitor(t *testing.T) {
	_, watcher, client := setup(t)
	client.post("join", `{"name":"cloudstep","level":57,"guest":true,"skin":{"layers":[],"bc":9315498}}`)
	want := []event.Visitor{{Name: "cloudstep", Level: 57, Guest: true,
		Skin: json.RawMessage(`{"layers":[],"bc":9315498}`)}}
	assert.Equal(t, "visitors", want, watcher.joined)
}

func TestRoom_Say_is_bounded(t *testing.T) {
	room, _, client := setup(t)
	for i := range maxChat + 5 {
		require.NoError(t, room.Say(t.Context(), fmt.Sprint(i)))
	}
	_, answer := client.send(http.MethodGet, client.link+"/messages", "")
	var got []message
	require.NoError(t, json.Unmarshal([]byte(answer), &got))
	if len(got) != maxChat || got[0].Text != "5" {
		t.Errorf("%d messages, the first %q", len(got), got[0].Text)
	}
}
