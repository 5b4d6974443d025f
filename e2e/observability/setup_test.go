// Package observability_test watches a running stack as its operator does: by its metrics, its traces and its logs,
// and checks what deploy/observability and docs/observability.md make of them.
package observability_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/harness"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// The stack under test. Its processes export traces, and log at the lowest level.
var (
	running   *stack.Running
	capzone   *site.Site
	collector *receiver
)

func TestMain(m *testing.M) {
	collector = startReceiver()
	harness.Main(m, harness.Options{
		Name: "observability",
		Settings: map[string]string{
			"LOG_LEVEL": "debug", "LOG_FORMAT": "json",
			"OTEL_EXPORTER_OTLP_ENDPOINT": collector.server.URL, "OTEL_BSP_SCHEDULE_DELAY": "100",
		},
		Ready: func(s harness.System) error {
			running, capzone = s.Running, s.Site
			return nil
		},
	})
}

// requests are those that are made once, before all tests: an author logs in and submits a map; a player logs in,
// refreshes the session, submits a record, is refused a second time, downloads the replay and logs out.
type requests struct {
	// secrets are values that must not be in logs and traces.
	secrets map[string]string
	// The ids of three requests.
	loginID, mapID, recordID string
}

// The trace of the player's submission, as the browser names it.
const (
	browsersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	browsersSpan  = "00f067aa0ba902b7"
)

var made = sync.OnceValues(func() (requests, error) { return makeRequests(context.Background()) })

func makeRequests(ctx context.Context) (d requests, err error) {
	d.secrets = map[string]string{}
	w := world.New(20, world.Size{Players: 12, Maps: 1, Records: 20})
	author, err := d.logIn(ctx, "author", w.Players[w.Maps[0].Submitter].Account)
	if err != nil {
		return d, err
	}
	form, err := w.Submission(&w.Maps[0]).Form()
	if err != nil {
		return d, err
	}
	if d.mapID, err = send(ctx, author, form.Request(http.MethodPost, "/maps/submit"), http.StatusCreated); err != nil {
		return d, err
	}
	// The totals of the map's first record are published before the traced submission changes them again: of two
	// unpublished states of one entity only the newer one is published.
	if !eventually.Poll(func() bool { return recordCount(ctx, author) == 1 }) {
		return d, errors.New("the map's first record was not counted")
	}

	record := w.Records[0]
	for _, candidate := range w.Records {
		if candidate.Player != w.Maps[0].Submitter {
			record = candidate
		}
	}
	player, err := d.logIn(ctx, "player", w.Players[record.Player].Account)
	if err != nil {
		return d, err
	}
	if err := player.Refresh(ctx); err != nil {
		return d, err
	}
	d.keep("player, refreshed", player)
	submission := site.RecordSubmission{Replay: w.Replay(record)}.Form().Request(http.MethodPost, "/records/submit")
	submission.Header.Set("Traceparent", "00-"+browsersTrace+"-"+browsersSpan+"-00")
	if d.recordID, err = send(ctx, player, submission, http.StatusCreated); err != nil {
		return d, err
	}
	again := site.RecordSubmission{Replay: w.Replay(record)}.Form().Request(http.MethodPost, "/records/submit")
	if _, err = send(ctx, player, again, http.StatusConflict); err != nil {
		return d, err
	}
	page, err := player.Records(ctx, api.ListRecordsParams{})
	if err != nil {
		return d, err
	}
	if _, err := player.DownloadReplay(ctx, page.Data[0].ID); err != nil {
		return d, err
	}
	for _, path := range []string{"/maps/search?name=whatsoughtafter", "/players/nobody", "/records/nothing",
		"/maps/nothing", "/nowhere"} {
		if _, err := player.Send(ctx, site.Request{Path: path}); err != nil {
			return d, err
		}
	}
	return d, player.Logout(ctx)
}

// recordCount returns the number of records of the only map, as the maps service shows it; 0 where it cannot be read.
func recordCount(ctx context.Context, v *site.Visitor) int64 {
	page, err := v.SearchMaps(ctx, api.SearchMapsParams{})
	if err != nil || len(page.Data) == 0 {
		return 0
	}
	return int64(page.Data[0].RecordCount)
}

// logIn logs an account in and keeps its secrets.
func (d *requests) logIn(ctx context.Context, who string, account site.Account) (*site.Visitor, error) {
	v := capzone.Visitor()
	asked, err := v.Send(ctx, site.Request{Path: "/auth/request-room-link"})
	if err != nil {
		return nil, err
	}
	d.loginID = asked.Header.Get("X-Request-Id")
	link, err := v.RequestRoomLink(ctx) // the same room again
	if err != nil {
		return nil, err
	}
	room := capzone.Room(link.RoomLink)
	if _, err := room.Join(ctx, account); err != nil {
		return nil, err
	}
	code, err := room.AwaitCode(ctx)
	if err != nil {
		return nil, err
	}
	d.secrets[who+"'s code"] = code
	d.keep(who+", waiting", v)
	if _, err := v.VerifyCode(ctx, link.SessionID, code); err != nil {
		return nil, err
	}
	d.keep(who, v)
	return v, nil
}

func (d *requests) keep(who string, v *site.Visitor) {
	if v.Token != "" {
		d.secrets[who+"'s token"] = v.Token
	}
	for _, cookie := range v.Cookies() {
		d.secrets[who+"'s cookie "+cookie.Name] = cookie.Value
	}
}

// send returns the request's id.
func send(ctx context.Context, v *site.Visitor, r site.Request, want int) (id string, err error) {
	answer, err := v.Send(ctx, r)
	if err != nil {
		return "", err
	}
	if answer.Status != want {
		return "", fmt.Errorf("%s %s: %d %s", r.Method, r.Path, answer.Status, answer.Body)
	}
	return answer.Header.Get("X-Request-Id"), nil
}

func requestsMade(t *testing.T) requests {
	t.Helper()
	d, err := made()
	require.NoError(t, err)
	return d
}

// file reads a file of the project.
func file(t *testing.T, path ...string) string {
	t.Helper()
	root, err := checkout.Root()
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	require.NoError(t, err)
	return string(text)
}
