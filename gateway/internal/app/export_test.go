package app_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/export"
)

const end = `{"kind":"end","complete":true}` + "\n"

// part answers with lines of a service, and the end where there is one.
func part(name, end string, data ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, d := range data {
			_, _ = fmt.Fprintf(w, `{"service":%q,"kind":"thing","data":{"is":%q}}`+"\n", name, d)
		}
		_, _ = io.WriteString(w, end)
	}
}

// exporting starts a gateway in front of all services of the routing table, which answer with one thing each.
func exporting(t *testing.T) (*bundle, map[route.Service]*stub) {
	t.Helper()
	services := map[route.Service]*stub{}
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		for _, name := range route.Services() {
			s := startStub(t)
			s.answers(part(string(name), end, string(name)))
			services[name], cfg.Services[name] = s, app.Addresses{s.address()}
		}
		cfg.StreamsPerAddress = 100
	})
	return b, services
}

// things returns the lines of the services of the routing table but some, in the order of an export.
func things(without ...route.Service) (lines string) {
	line := func(name route.Service) string {
		return fmt.Sprintf(`{"service":%q,"kind":"thing","data":{"is":%q}}`+"\n", name, name)
	}
	lines = line(route.Players)
	for _, name := range route.Services() {
		if name != route.Players && !slices.Contains(without, name) {
			lines += line(name)
		}
	}
	return lines
}

func TestGateway_export(t *testing.T) {
	t.Parallel()
	b, services := exporting(t)
	if got := b.get(t, export.Path); got.status != http.StatusUnauthorized || got.failure(t).Code != "token_missing" {
		t.Errorf("without a token: %d %s", got.status, got.body)
	}
	bearer := b.bearer(t, playerID)
	got := b.get(t, export.Path, bearer...)
	want := things() + end
	if diff := cmp.Diff(want, got.body); diff != "" || got.status != http.StatusOK {
		t.Errorf("%d (-want +got):\n%s", got.status, diff)
	}
	if got.header.Get("Content-Type") != export.ContentType || got.header.Get("Cache-Control") != "no-store" ||
		!strings.HasPrefix(got.header.Get("Content-Disposition"), "attachment;") {
		t.Errorf("header: %v", got.header)
	}
	for name, s := range services {
		if asked := s.last(t); asked.uri != export.Path || asked.header.Get("Authorization") != bearer[1] {
			t.Errorf("%s was asked %+v", name, asked)
		}
	}
	again := b.get(t, export.Path, bearer...)
	failure := again.failure(t)
	if again.status != http.StatusTooManyRequests || failure.Code != "export_too_soon" || failure.Data["next"] == nil ||
		again.header.Get("Retry-After") == "" {
		t.Errorf("once more: %d %s", again.status, again.body)
	}
	if got := b.get(t, export.Path, b.bearer(t, "01970000-0000-7000-8000-000000000002")...); got.status != http.StatusOK {
		t.Errorf("another player: %d %s", got.status, got.body)
	}
}

// What a service does not answer is named, and the player may ask again at once.
func TestGateway_export_is_not_complete(t *testing.T) {
	t.Parallel()
	b, services := exporting(t)
	for name, answer := range map[string]http.HandlerFunc{
		"a failure":          func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"a part without end": part("records", ""),
		"an incomplete end":  part("records", `{"kind":"end","complete":false}`+"\n"),
		"what is no JSON":    part("records", "<html>\n"+end),
		"a line of 2 MiB": part("records",
			`{"service":"records","kind":"x","data":"`+strings.Repeat("x", 2<<20)+`"}`+"\n"+end),
		"a broken connection": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		services[route.Records].answers(answer)
		got := b.get(t, export.Path, b.bearer(t, playerID)...)
		want := things(route.Records) +
			`{"kind":"end","complete":false,"missing":["records"]}` + "\n"
		if diff := cmp.Diff(want, got.body); diff != "" || got.status != http.StatusOK {
			t.Errorf("%s: %d (-want +got):\n%s", name, got.status, diff)
		}
	}
	services[route.Records].answers(part("records", end, "records"))
	if got := b.get(t, export.Path, b.bearer(t, playerID)...); !strings.HasSuffix(got.body, end) {
		t.Errorf("when the service is back: %d %s", got.status, got.body)
	}
}

// One export of a player runs at a time, and one that the client leaves does not count.
func TestGateway_export_twice_at_once(t *testing.T) {
	t.Parallel()
	b, services := exporting(t)
	release, begun := make(chan struct{}), make(chan struct{})
	services[route.Maps].answers(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush() // the part begins
		close(begun)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.site+export.Path, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", b.bearer(t, playerID)[1])
	resp, err := b.client.Do(req)
	require.NoError(t, err)
	<-begun
	if got := b.get(t, export.Path, b.bearer(t, playerID)...); got.failure(t).Code != "export_running" {
		t.Errorf("meanwhile: %d %s", got.status, got.body)
	}
	_ = resp.Body.Close() // the client leaves
	close(release)
	services[route.Maps].answers(part("maps", end, "maps"))
	eventually.WaitFor(t, "another export", func() bool {
		got := b.get(t, export.Path, b.bearer(t, playerID)...)
		return got.status == http.StatusOK && strings.HasSuffix(got.body, end)
	})
}
