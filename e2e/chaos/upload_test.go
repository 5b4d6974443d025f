package chaos

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

// TestUpload_while_the_gateway_is_killed kills the gateway while a record is being submitted. Nothing of it stays, and
// it can be submitted afterwards.
func TestUpload_while_the_gateway_is_killed(t *testing.T) {
	r := users.players[0]
	file, want := users.nextRecord(r)
	form := site.RecordSubmission{Replay: file, Map: want.mapID}.Form().Request(http.MethodPost, "/records/submit")
	body, err := io.ReadAll(form.Body)
	require.NoError(t, err)
	host := strings.TrimPrefix(capzone.Address(), "http://")
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /api/v1/records/submit HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		host, r.Token, form.Header.Get("Content-Type"), len(body), body[:len(body)/2])
	require.NoError(t, err)
	_, err = kill("gateway")(t.Context())
	require.NoError(t, err)
	if resp, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
		t.Errorf("half an upload is answered with %s", resp.Status)
	}

	visitor := capzone.Visitor()
	if !soon(t, func() bool { _, err := visitor.Stats(t.Context()); return err == nil }) {
		t.Fatal("the gateway does not answer again")
	}
	verify(t) // nothing of the interrupted upload is stored
	outcome, err := r.SubmitRecord(t.Context(), site.RecordSubmission{Replay: file, Map: want.mapID})
	require.NoError(t, err)
	want.id = outcome.Record.ID
	users.accepted.addRecord(want)
	verify(t)
}
