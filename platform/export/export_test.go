package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/export"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/token"
)

const (
	ann = "01970000-0000-7000-8000-000000000001"
	ben = "01970000-0000-7000-8000-000000000002"
)

var files = fstest.MapFS{"00001_things.sql": {Data: []byte(`-- +goose Up
create table things (player_id uuid, n int, primary key (player_id, n));
insert into things select '` + ann + `', n from generate_series(1, 1001) n;
insert into things values ('` + ben + `', 7);
-- +goose Down
drop table things;
`)}}

// exporter returns an exporter of two kinds of things, of which the second fails for a key.
func exporter(t *testing.T) *export.Exporter {
	t.Helper()
	return &export.Exporter{
		Service: "things", DB: pgtest.Open(t, "things", files), Log: slog.New(slog.DiscardHandler),
		Resolve: func(_ context.Context, playerID string) (string, error) { return playerID, nil },
		Parts: []export.Part{
			{Kind: "none", First: "0", SQL: `
				select n::text as key, to_jsonb(n) from things where player_id = @player and n > @after::int and n < 0 limit @limit`},
			{Kind: "thing", First: "0", SQL: `
				select n::text as key, jsonb_build_object('n', n) from things
				where player_id = @player and n > @after::int order by n limit @limit`},
		},
	}
}

// All pages come, each thing once and in order, of one player alone.
func TestExporter_Write(t *testing.T) {
	t.Parallel()
	e := exporter(t)
	for player, want := range map[string]int{ann: 1001, ben: 1, "01970000-0000-7000-8000-000000000003": 0} {
		var file bytes.Buffer
		require.NoError(t, e.Write(t.Context(), &file, player))
		lines := strings.Split(strings.TrimSuffix(file.String(), "\n"), "\n")
		if diff := cmp.Diff(`{"kind":"end","complete":true}`, lines[len(lines)-1]); diff != "" || len(lines) != want+1 {
			t.Errorf("%d lines, want %d and the end (-want +got):\n%s", len(lines), want, diff)
		}
		last := 0
		for _, text := range lines[:len(lines)-1] {
			var line struct {
				Service, Kind string
				Data          struct{ N int }
			}
			if err := json.Unmarshal([]byte(text), &line); err != nil || line.Service != "things" || line.Data.N <= last {
				t.Fatalf("%s after %d: %v", text, last, err)
			}
			last = line.Data.N
		}
	}
}

type failingWriter struct{ left int }

var errFull = errors.New("full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestExporter_Write_to_a_reader_that_leaves(t *testing.T) {
	t.Parallel()
	if err := exporter(t).Write(t.Context(), &failingWriter{300}, ann); !errors.Is(err, errFull) {
		t.Errorf("returned %v", err)
	}
}

func TestExporter_Serve(t *testing.T) {
	t.Parallel()
	key, err := token.NewKey()
	require.NoError(t, err)
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	require.NoError(t, err)
	raw, err := signer.Sign(token.Claims{PlayerID: ben, Name: "ben", Banned: true})
	require.NoError(t, err)
	e := exporter(t)
	serve := func(e *export.Exporter, bearer string) (status int, body string, err error) {
		engine := httpserve.NewEngine(httpserve.Options{
			Log: slog.New(slog.DiscardHandler), Service: "things", Verifier: token.NewLocalVerifier(signer),
		})
		e.Serve(engine)
		server := httptest.NewServer(engine)
		defer server.Close()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+export.Path, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", bearer)
		resp, err := server.Client().Do(req)
		if err != nil {
			return 0, "", err
		}
		defer resp.Body.Close()
		read, err := io.ReadAll(resp.Body)
		return resp.StatusCode, string(read), err
	}
	if status, body, err := serve(e, ""); status != http.StatusUnauthorized || err != nil {
		t.Errorf("without a token: %d %s, %v", status, body, err)
	}
	want := `{"service":"things","kind":"thing","data":{"n": 7}}` + "\n" + `{"kind":"end","complete":true}` + "\n"
	status, body, err := serve(e, "Bearer "+raw)
	if diff := cmp.Diff(strings.ReplaceAll(want, " ", ""), strings.ReplaceAll(body, " ", "")); diff != "" ||
		status != http.StatusOK || err != nil {
		t.Errorf("%d, %v (-want +got):\n%s", status, err, diff)
	}
	broken := *e
	broken.Parts = append(broken.Parts, export.Part{Kind: "broken", SQL: "select @player, @after, @limit from missing"})
	if _, body, err := serve(&broken, "Bearer "+raw); err == nil || strings.Contains(body, `"end"`) {
		t.Errorf("a part that fails: %q, %v", body, err)
	}
	for want, errResolve := range map[int]error{
		http.StatusServiceUnavailable: token.ErrKeysUnavailable, http.StatusForbidden: access.ErrDeleted,
	} {
		unresolved := *e
		unresolved.Resolve = func(context.Context, string) (string, error) { return "", errResolve }
		if status, body, err := serve(&unresolved, "Bearer "+raw); status != want || err != nil {
			t.Errorf("where the player is not found, because %v: %d %s, %v", errResolve, status, body, err)
		}
	}
}
