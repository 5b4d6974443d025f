package locals3

import (
	"bytes"
	"io"
	"sync"
)

// lines takes what the server says: the line "ready" is for us, the rest for the log.
type lines struct {
	next  io.Writer
	ready chan struct{}

	mu      sync.Mutex
	partial []byte
	kept    []byte // the beginning, for error messages
	started bool
}

const keptBytes = 4096

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.partial = append(l.partial, p...)
	for {
		line, rest, found := bytes.Cut(l.partial, []byte("\n"))
		if !found {
			return len(p), nil
		}
		l.partial = rest
		if err := l.take(line); err != nil {
			return 0, err
		}
	}
}

func (l *lines) take(line []byte) error {
	if !l.started {
		if string(line) == "ready" {
			l.started = true
			close(l.ready)
			return nil
		}
		if len(l.kept) < keptBytes {
			l.kept = append(append(l.kept, line...), '\n')
		}
		return nil // its introduction says nothing of use
	}
	if l.next == nil {
		return nil
	}
	_, err := l.next.Write(append(line, '\n'))
	return err
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.TrimSpace(append(l.kept, l.partial...)))
}
