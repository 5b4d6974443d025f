package bench

import (
	"os"
	"testing"

	"capzone.dev/e2e/stack"
)

func TestTmp(t *testing.T) {
	s, err := stack.Find("/tmp/live-stack")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{running: &stack.Running{Stack: s}, gateway: s.Site, out: os.Stdout}
	if err := b.liveMemory(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Log(b.rows)
}
