package freeport_test

import (
	"fmt"
	"net"
	"sync"
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

// A server that starts on a port that was picked for it finds the port free, whatever else is picked meanwhile.
func TestOf_leaves_a_port_alone_that_was_picked(t *testing.T) {
	port, err := freeport.Of(t.Name())
	require.NoError(t, err)
	var picks sync.WaitGroup
	picks.Go(func() {
		for range 500 {
			if _, err := freeport.Of(t.Name()); err != nil {
				t.Error(err)
			}
		}
	})
	for range 500 {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		require.NoError(t, err)
		require.NoError(t, listener.Close())
	}
	picks.Wait()
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
