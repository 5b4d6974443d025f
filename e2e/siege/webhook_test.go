package siege_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/receivertest"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

// An event for a thousand webhooks, of which a tenth hang, redirect, answer 10 MB, or break the connection, reaches
// each of the others once, and visitors are served meanwhile.
func TestWebhooks_of_bad_receivers(t *testing.T) {
	const working, each = 900, 25
	submitter, submission := author(t, 5)
	works, elsewhere := receivertest.New(t), receivertest.New(t)
	hangs, redirects, floods, breaks := receivertest.New(t), receivertest.New(t), receivertest.New(t), receivertest.New(t)
	hangs.Hang(t)
	redirects.Answer(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	floods.Answer(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write(bytes.Repeat([]byte("flood "), 10<<20/6))
	})
	breaks.Answer(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })

	db := database(t, "notifications")
	for url, count := range map[string]int{
		works.URL: working, hangs.URL: each, redirects.URL: each, floods.URL: each, breaks.URL: each,
	} {
		_, err := db.Exec(t.Context(), `
			insert into webhooks (id, owner_id, url, format, description, types, enabled, secret, created_at)
			select gen_random_uuid(), gen_random_uuid(), $1, 'json', '', '{map}', true, 'secret', now() - interval '1 day'
			from generate_series(1, $2::int)`, url, count)
		require.NoError(t, err)
	}
	forgetMemory("notifications")
	ids := map[string]int{} // of the messages about the map
	readWhile(t, patience, func(context.Context) {
		entry, err := submitter.SubmitMap(t.Context(), submission)
		require.NoError(t, err)
		began := time.Now()
		eventually.WaitFor(t, "a message to each receiver that works", func() bool {
			clear(ids)
			for _, m := range works.Messages() {
				if strings.Contains(m.Body, entry.ID) {
					ids[m.Header.Get("Webhook-Id")]++
				}
			}
			return len(ids) >= working
		})
		t.Logf("%d messages took %s", working, time.Since(began))
		eventually.WaitFor(t, "the others to have failed", func() bool {
			var failed int
			err := db.QueryRow(t.Context(), "select count(*) from webhooks where failures > 0 and enabled").Scan(&failed)
			return err == nil && failed == 4*each
		})
	})
	for id, count := range ids {
		if count > 1 || len(ids) > working {
			t.Errorf("%d messages, %d with the id %s", len(ids), count, id)
		}
	}
	if got := len(elsewhere.Messages()); got > 0 {
		t.Errorf("%d redirects were followed", got)
	}
	rows, err := db.Query(t.Context(), `
		select distinct case url when $1 then 'hangs' when $2 then 'redirects' when $3 then 'floods' else 'breaks' end
			|| ' ' || d.failure || ' ' || coalesce(d.status::text, '')
		from webhooks w join webhook_deliveries d on d.webhook_id = w.id
		where d.failure is not null
		order by 1`, hangs.URL, redirects.URL, floods.URL)
	require.NoError(t, err)
	failures, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	want := []string{"breaks unreachable ", "floods status 500", "hangs unreachable ", "redirects redirect 307"}
	if fmt.Sprint(failures) != fmt.Sprint(want) {
		t.Errorf("failures %q, want %q", failures, want)
	}
	held := memory(t, "notifications")
	t.Logf("notifications held %d MiB", held)
	if held > 192 {
		t.Errorf("notifications held %d MiB, want at most three quarters of its container's 256", held)
	}
}

// A player who tests webhooks again and again to find open ports gets ten tests a minute, and one answer for all
// addresses that give no status.
func TestWebhooks_of_a_port_scanner(t *testing.T) {
	const tests = 60
	owner := newPlayer(t)
	post := func(path, body string) site.Answer {
		t.Helper()
		answer, err := owner.Send(t.Context(), site.Request{
			Method: http.MethodPost, Path: path, Body: strings.NewReader(body),
			Header: http.Header{"Content-Type": {"application/json"}},
		})
		require.NoError(t, err)
		return answer
	}
	var ids []string
	for _, address := range []string{"https://localhost:1025/", "https://unknown.invalid/"} {
		answer := post("/webhooks", `{"url": "`+address+`", "format": "json", "filter": {"types": ["map"]}}`)
		var made struct {
			Data struct {
				Webhook struct {
					ID string `json:"_id"`
				}
			}
		}
		require.NoError(t, json.Unmarshal(answer.Body, &made))
		if made.Data.Webhook.ID == "" {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
		ids = append(ids, made.Data.Webhook.ID)
	}
	accepted := 0
	for n := range tests {
		switch answer := post("/webhooks/"+ids[n%len(ids)]+"/test", "{}"); answer.Status {
		case http.StatusAccepted:
			accepted++
		case http.StatusTooManyRequests:
		default:
			t.Errorf("test %d: %d %s", n, answer.Status, answer.Body)
		}
	}
	if accepted == 0 || accepted > 2*10 { // a minute may end meanwhile
		t.Errorf("%d of %d tests were accepted", accepted, tests)
	}
	for _, id := range ids {
		var list struct {
			Data []struct{ State, Failure string }
		}
		eventually.WaitFor(t, "the first test to fail", func() bool {
			answer, err := owner.Send(t.Context(), site.Request{Path: "/webhooks/" + id + "/deliveries"})
			return err == nil && json.Unmarshal(answer.Body, &list) == nil && len(list.Data) > 0 &&
				list.Data[len(list.Data)-1].Failure != ""
		})
		if got := list.Data[len(list.Data)-1].Failure; got != "unreachable" {
			t.Errorf("a delivery failed with %q, want the same for every address without a status", got)
		}
	}
}

// database connects to the database of a service, for what the API has no call for.
func database(t *testing.T, kind string) *pgx.Conn {
	t.Helper()
	url, err := system.Database(kind)
	require.NoError(t, err)
	db, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close(context.WithoutCancel(t.Context())) })
	return db
}
