package localpg

import (
	"bytes"
	"io"
	"sync"
)

// tail passes a log on and keeps its end for error messages.
type tail struct {
	next io.Writer

	mu   sync.Mutex
	kept []byte
}

const tailBytes = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailBytes; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	t.mu.Unlock()
	if t.next != nil {
		return t.next.Write(p)
	}
	return len(p), nil
}

func (t *tail) contains(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Contains(t.kept, []byte(text))
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
