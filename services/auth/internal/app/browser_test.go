package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/services/auth/internal/httpapi"
)

// browser keeps cookies, as a browser does.
type browser struct {
	b   *bundle
	url string
	jar *cookiejar.Jar
}

func (b *bundle) browser() *browser { return b.browserAt(b.URL) }

func (b *bundle) browserAt(url string) *browser {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(b.t, err)
	return &browser{b: b, url: url, jar: jar}
}

// answer is what the API answers.
type answer struct {
	HTTPStatus int         `json:"-"`
	Header     http.Header `json:"-"`
	Raw        string      `json:"-"`

	Success     bool
	Code        string
	Message     string
	Data        map[string]any
	RoomLink    string
	SessionID   string
	ExpiresIn   int
	Place       *int
	Status      struct{ Status, Message string }
	AccessToken string
	Player      *httpapi.LoggedInPlayer
	User        *httpapi.LoggedInPlayer
}

func (w *browser) do(method, path, body string, header ...string) answer {
	w.b.t.Helper()
	req, err := http.NewRequestWithContext(w.b.t.Context(), method, w.url+path, strings.NewReader(body))
	require.NoError(w.b.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Client{Jar: w.jar, Timeout: 20 * time.Second}).Do(req)
	require.NoError(w.b.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(w.b.t, err)
	a := answer{HTTPStatus: resp.StatusCode, Header: resp.Header, Raw: string(raw)}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(raw, &a); err != nil {
			w.b.t.Errorf("%s: %v", raw, err)
		}
	}
	if strings.HasPrefix(path, "/api/v1/auth/") && resp.Header.Get("Cache-Control") != "no-store" {
		w.b.t.Errorf("%s may be stored: %q", path, resp.Header.Get("Cache-Control"))
	}
	return a
}

func (w *browser) requestRoom() answer {
	w.b.t.Helper()
	return w.do(http.MethodGet, "/api/v1/auth/request-room-link", "")
}

func (w *browser) status(session string) answer {
	w.b.t.Helper()
	return w.do(http.MethodGet, "/api/v1/auth/status?sessionId="+url.QueryEscape(session), "")
}

func (w *browser) verify(session, code string) answer {
	w.b.t.Helper()
	body, err := json.Marshal(map[string]string{"sessionId": session, "code": code})
	require.NoError(w.b.t, err)
	return w.do(http.MethodPost, "/api/v1/auth/verify-code", string(body))
}

func (w *browser) refresh() answer {
	w.b.t.Helper()
	return w.do(http.MethodGet, "/api/v1/auth/refresh-token", "")
}

func (w *browser) logout(header ...string) answer {
	w.b.t.Helper()
	return w.do(http.MethodPost, "/api/v1/auth/logout", "", header...)
}

// cookies are those that the browser would send to auth.
func (w *browser) cookies() map[string]string {
	w.b.t.Helper()
	at, err := url.Parse(w.url + "/api/v1/auth/x")
	require.NoError(w.b.t, err)
	found := map[string]string{}
	for _, c := range w.jar.Cookies(at) {
		found[c.Name] = c.Value
	}
	return found
}

// copyOf is another browser with the same cookies.
func (w *browser) copyOf() *browser {
	w.b.t.Helper()
	other := w.b.browserAt(w.url)
	at, err := url.Parse(w.url + "/api/v1/auth/x")
	require.NoError(w.b.t, err)
	other.jar.SetCookies(at, w.jar.Cookies(at))
	return other
}

// expect fails the test unless an answer has the status and the code ("" for success).
func expect(t *testing.T, a answer, status int, code string) {
	t.Helper()
	if a.HTTPStatus != status || a.Code != code || a.Success != (code == "") {
		t.Errorf("answered %d %s, want %d %s", a.HTTPStatus, a.Raw, status, code)
	}
}

// begin asks for a room and returns it.
func (w *browser) begin(o *bot) (answer, *room) {
	w.b.t.Helper()
	a := w.requestRoom()
	expect(w.b.t, a, http.StatusOK, "")
	return a, <-o.opened
}

// enter asks for a room, which the named player enters, and returns the code that was said there.
func (w *browser) enter(o *bot, name string) (asked answer, code string) {
	w.b.t.Helper()
	asked, r := w.begin(o)
	r.join(name)
	return asked, r.code(w.b.t)
}

// login goes the whole way.
func (w *browser) login(o *bot, name string) {
	w.b.t.Helper()
	asked, code := w.enter(o, name)
	expect(w.b.t, w.verify(asked.SessionID, code), http.StatusOK, "")
}

// awaitStatus waits until the session is in the state.
func (w *browser) awaitStatus(session, state string) answer {
	w.b.t.Helper()
	var a answer
	eventually.WaitFor(w.b.t, "the status "+state, func() bool {
		a = w.status(session)
		return a.Status.Status == state
	})
	return a
}
