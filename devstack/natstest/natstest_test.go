package natstest_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
)

func TestServer_Restart(t *testing.T) {
	server := natstest.Start(t)
	js, closeConn := connect(t, server.URL())
	_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "KEPT", Subjects: []string{"kept.>"}})
	require.NoError(t, err)
	_, err = js.Publish(t.Context(), "kept.one", []byte("1"))
	require.NoError(t, err)
	closeConn()
	address := server.URL()

	server.Stop()
	if conn, err := nats.Connect(address, nats.Timeout(time.Second)); err == nil {
		conn.Close()
		t.Fatal("the stopped server takes connections")
	}

	server.Restart()
	if server.URL() != address {
		t.Fatalf("the address changed from %s to %s", address, server.URL())
	}
	js, closeConn = connect(t, address)
	defer closeConn()
	stream, err := js.Stream(t.Context(), "KEPT")
	require.NoError(t, err)
	if got := stream.CachedInfo().State.Msgs; got != 1 {
		t.Errorf("%d messages are left, want 1", got)
	}
}

func connect(t *testing.T, url string) (jetstream.JetStream, func()) {
	t.Helper()
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	return js, conn.Close
}
