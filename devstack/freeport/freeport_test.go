package freeport_test

import (
	"fmt"
	"net"
	"testing"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
)

func TestPick_port_is_free(t *testing.T) {
	port, err := freeport.Pick()
	require.NoError(t, err)
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	require.NoError(t, err)
	defer listener.Close()
	if freeport.Free(port) {
		t.Errorf("port %d counts as free while it is listened on", port)
	}
}

func TestOf(t *testing.T) {
	port, err := freeport.Of(t.Name())
	require.NoError(t, err)
	again, err := freeport.Of(t.Name())
	require.NoError(t, err)
	if again == port {
		t.Errorf("port %d was returned twice", port)
	}
}

func TestPick_returns_a_port_once(t *testing.T) {
	given := map[int]bool{}
	for range 500 {
		port, err := freeport.Pick()
		require.NoError(t, err)
		if given[port] {
			t.Fatalf("port %d was returned twice", port)
		}
		given[port] = true
	}
}
