// Package logtest lets a test read what is logged.
package logtest

import (
	"log/slog"
	"strings"
	"sync"
)

// Lines collects what is logged. It is safe for concurrent use.
type Lines struct {
	mu sync.Mutex
	b  strings.Builder
}

// Logger logs into the lines, on every level.
func (l *Lines) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// Write implements io.Writer.
func (l *Lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is everything so far.
func (l *Lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
