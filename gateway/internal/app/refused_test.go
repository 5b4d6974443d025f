package app_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
)

// The rest of a refused body is waited for one second, however much of it has come.
func TestGateway_refused_bodies_cut_short(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) { cfg.Services[route.Players] = app.Addresses{"127.0.0.1:1"} })
	bearer := strings.Join(b.bearer(t, playerID), ": ") + "\r\n"
	for _, tt := range []struct {
		name, head string
		status     int
	}{
		{"without a token", "POST /api/v1/records/submit" + host, 401},
		{"of another site", "POST /api/v1/auth/verify-code" + host + "Origin: https://evil.example\r\n", 403},
		{"at an unknown address", "POST /api/v1/unknown" + host, 404},
		{"with an unknown method", "POST /api/v1/stats" + host, 405},
		{"of a read", "GET /api/v1/stats" + host, 413},
		{"for a service that is down", "PUT /api/v1/players/" + playerID + host + bearer, 503},
	} {
		for _, sent := range []int{3, 60_000} {
			for framing, begin := range map[string]string{
				"Content-Length": "Content-Length: 70000\r\n\r\n", "chunked": "Transfer-Encoding: chunked\r\n\r\n11170\r\n",
			} {
				t.Run(tt.name+" "+framing, func(t *testing.T) {
					t.Parallel()
					conn := b.raw(t, tt.head+begin+strings.Repeat("x", sent))
					began := time.Now()
					answer := bufio.NewReader(conn)
					resp, err := http.ReadResponse(answer, nil)
					require.NoError(t, err)
					answered := time.Since(began)
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
					_, _ = answer.ReadByte()
					closed := time.Since(began)
					if resp.StatusCode != tt.status || closed > 3*time.Second {
						t.Errorf("%d bytes: %s after %s, closed after %s", sent, resp.Status, answered, closed)
					}
				})
			}
		}
	}
}
