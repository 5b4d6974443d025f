package app_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// A player chooses what a replay holds. Whatever that is, the next response of the connection begins after it.
func TestGateway_body_with_text_of_a_response(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	// What net/http writes after the status line of a request that it refuses.
	const head = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	for _, tt := range []struct{ name, body string }{
		{"alone", head + strings.Repeat("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong", 100)},
		{"after a status line", "HTTP/1.1 400 Bad Request" + head + "400 Bad Request"},
		{"in every write", strings.Repeat(strings.Repeat(" ", 4096-len(head))+head, 64)},
	} {
		for _, framing := range []string{"Content-Length", "Transfer-Encoding"} {
			t.Run(tt.name+" with "+framing, func(t *testing.T) {
				b.records.answers(func(w http.ResponseWriter, _ *http.Request) {
					if framing == "Content-Length" {
						w.Header().Set("Content-Length", strconv.Itoa(len(tt.body)))
					}
					w.(http.Flusher).Flush() // the body begins with a write of its own
					_, _ = w.Write([]byte(tt.body))
				})
				for range 2 { // the second on the same connection
					got := b.get(t, "/api/v1/download/replays/"+playerID)
					if got.status != http.StatusOK || got.body != tt.body {
						t.Errorf("status %d and %d bytes, want the %d bytes of the replay",
							got.status, len(got.body), len(tt.body))
					}
				}
			})
		}
	}
}
