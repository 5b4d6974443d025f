package localnats_test

import (
	"testing"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localnats"
	"capzone.dev/devstack/require"
)

func TestStart_port_in_use(t *testing.T) {
	port, err := freeport.Pick()
	require.NoError(t, err)
	first, err := localnats.Start(localnats.Options{Dir: t.TempDir(), Port: port})
	require.NoError(t, err)
	defer first.Stop()
	var logged []string
	second, err := localnats.Start(localnats.Options{
		Dir: t.TempDir(), Port: port,
		Log: func(line string) { logged = append(logged, line) },
	})
	if err == nil {
		second.Stop()
		t.Fatal("two servers listen on one port")
	}
	if len(logged) == 0 {
		t.Error("the server's log has no word of it")
	}
}
