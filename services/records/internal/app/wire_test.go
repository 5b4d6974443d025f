package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/httpapi"
)

func (b *bundle) get(path string, header ...string) servicetest.Answer {
	b.t.Helper()
	return b.do(http.MethodGet, b.URL+path, nil, header...)
}

// read returns the data of an answer.
func read[T any](b *bundle, path string, header ...string) T {
	b.t.Helper()
	return servicetest.Data[T](b.t, b.get(path, header...))
}

// unmarshalled returns a whole answer.
func unmarshalled[T any](b *bundle, a servicetest.Answer) (v T) {
	b.t.Helper()
	require.NoError(b.t, json.Unmarshal(a.Raw, &v))
	return v
}

// wantCodes compares the codes of refusals of paths, and an empty code where a path is answered.
func (b *bundle) wantCodes(codes map[string]string, header ...string) {
	b.t.Helper()
	for path, want := range codes {
		if a := b.get(path, header...); a.Code != want || (want == "") != (a.Status == http.StatusOK) {
			b.t.Errorf("%s: %d %s, want %q", path, a.Status, a.Raw, want)
		}
	}
}

// bearer is the header of a player's token.
func (b *bundle) bearer(p event.PlayerState) []string {
	return []string{"Authorization", "Bearer " + b.keys.Token(p)}
}

// wantPrivate fails unless no cache may store an answer.
func (b *bundle) wantPrivate(a servicetest.Answer) {
	b.t.Helper()
	got, keys := a.Header.Get("Cache-Control"), a.Header.Get("Surrogate-Key")
	if got != "private, no-cache" || keys != "" {
		b.t.Errorf("Cache-Control %q, Surrogate-Key %q", got, keys)
	}
}

// submit sends a replay in the name of a player, with further fields of the form.
func (b *bundle) submit(by event.PlayerState, replay []byte, fields ...string) servicetest.Answer {
	b.t.Helper()
	body, contentType := form(b.t, replay, fields...)
	return b.do(http.MethodPost, b.URL+"/api/v1/records/submit", body,
		append(b.bearer(by), "Content-Type", contentType)...)
}

// submitted is submit of a record that is accepted.
func (b *bundle) submitted(by event.PlayerState, m drawnMap, finishTime int) httpapi.Submitted {
	b.t.Helper()
	a := b.submit(by, b.replay(m, by.Name, finishTime))
	if a.Status != http.StatusCreated {
		b.t.Fatalf("%d %s", a.Status, a.Raw)
	}
	return servicetest.Data[httpapi.Submitted](b.t, a)
}

func (b *bundle) leaderboard(m drawnMap) []httpapi.ListedRecord {
	b.t.Helper()
	return read[[]httpapi.ListedRecord](b, "/api/v1/records?map="+m.ID)
}

func (b *bundle) do(method, url string, body io.Reader, header ...string) servicetest.Answer {
	b.t.Helper()
	return servicetest.Do(b.t, method, url, body, header...)
}

// form makes a form of a replay, where there is one, and of names and values.
func form(t *testing.T, replay []byte, fields ...string) (body io.Reader, contentType string) {
	t.Helper()
	var parts []servicetest.Part
	if replay != nil {
		parts = append(parts, servicetest.Part{Name: "replayFile", File: "rec.lbReplay", Data: replay})
	}
	for i := 0; i < len(fields); i += 2 {
		parts = append(parts, servicetest.Part{Name: fields[i], Data: []byte(fields[i+1])})
	}
	return servicetest.Form(t, parts...)
}

// orNone describes a value that may be absent.
func orNone[T any](v *T) any {
	if v == nil {
		return "none"
	}
	return *v
}

func parseTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return at
}
