package localnats_test

import (
	"testing"

	"capzone.dev/devstack/localnats"
)

func TestTakenPortIsSaidAtOnce(t *testing.T) {
	first, err := localnats.Start(localnats.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Stop()
	var said []string
	second, err := localnats.Start(localnats.Options{
		Dir: t.TempDir(), Port: first.Port(),
		Log: func(line string) { said = append(said, line) },
	})
	if err == nil {
		second.Stop()
		t.Fatal("two servers listen on one port")
	}
	if len(said) == 0 {
		t.Error("the server's log has no word of it")
	}
}
