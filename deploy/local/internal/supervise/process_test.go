package supervise_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"capzone.dev/deploy/local/internal/supervise"
	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/child"
	"capzone.dev/devstack/require"
)

// TestMain makes the test binary a child program if the variable CHILD selects its behaviour.
func TestMain(m *testing.M) {
	switch os.Getenv("CHILD") {
	case "serve":
		terminated := make(chan os.Signal, 1)
		signal.Notify(terminated, syscall.SIGTERM)
		fmt.Println("serving")
		<-terminated
		fmt.Println("finishing")
		os.Exit(0)
	case "ignore SIGTERM":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("serving")
		select {}
	case "fail":
		fmt.Println("no database")
		os.Exit(3)
	}
	os.Exit(m.Run())
}

func TestProcess_restart(t *testing.T) {
	out := newScreen()
	begun := make(chan struct{}, 10)
	p := supervise.Start(program("serve"), ready(t), supervise.NewConsole(out), func() { begun <- struct{}{} })
	defer p.Stop(t.Context())
	<-begun
	out.await(t, "child           | serving")
	first := p.PID()
	require.NoError(t, syscall.Kill(first, syscall.SIGKILL))
	<-begun
	out.await(t, "child           | ended by itself (signal: killed), starts again in 200ms")
	if second := p.PID(); second == 0 || second == first {
		t.Errorf("process %d runs after %d", second, first)
	}
}

func TestProcess_Stop(t *testing.T) {
	out := newScreen()
	p := supervise.Start(program("serve"), ready(t), supervise.NewConsole(out), func() {})
	out.await(t, "child           | serving")
	p.Stop(t.Context())
	want := []string{"child           | serving", "child           | finishing"}
	assert.Equal(t, "screen", want, out.lines())
	wantEnded(t, p)
}

func TestProcess_Stop_timeout(t *testing.T) {
	out := newScreen()
	p := supervise.Start(program("ignore SIGTERM"), ready(t), supervise.NewConsole(out), func() {})
	out.await(t, "child           | serving")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	p.Stop(ctx)
	out.await(t, "child           | does not stop: killed")
	wantEnded(t, p)
}

func TestProcess_AwaitReady_program_that_fails(t *testing.T) {
	out := newScreen()
	never := httptest.NewServer(http.NotFoundHandler())
	defer never.Close()
	p := supervise.Start(program("fail"), never.URL, supervise.NewConsole(out), func() {})
	defer p.Stop(t.Context())
	err := p.AwaitReady(t.Context())
	if err == nil || !strings.Contains(err.Error(), "child ended 3 times before it was ready") {
		t.Errorf("error %v", err)
	}
	out.await(t, "child           | no database")
}

func TestProcess_AwaitReady(t *testing.T) {
	out := newScreen()
	requests := 0
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if requests++; requests < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer late.Close()
	p := supervise.Start(program("serve"), late.URL, supervise.NewConsole(out), func() {})
	defer p.Stop(t.Context())
	require.NoError(t, p.AwaitReady(t.Context()))
	if requests < 3 {
		t.Errorf("%d requests, want at least 3", requests)
	}
}

func wantEnded(t *testing.T, p *supervise.Process) {
	t.Helper()
	if err := syscall.Kill(p.PID(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the program still runs: %v", err)
	}
}

func program(role string) child.Spec {
	return child.Spec{Name: "child", Program: os.Args[0], Environment: append(os.Environ(), "CHILD="+role)}
}

func ready(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	return server.URL
}

// screen is a terminal whose lines a test can wait for.
type screen struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func newScreen() *screen { return &screen{changed: make(chan struct{}, 1)} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *screen) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Split(strings.TrimSuffix(s.text.String(), "\n"), "\n")
}

func (s *screen) await(t *testing.T, line string) {
	t.Helper()
	timeout := time.After(10 * time.Second)
	for {
		for _, shown := range s.lines() {
			if shown == line {
				return
			}
		}
		select {
		case <-s.changed:
		case <-timeout:
			t.Fatalf("timeout while waiting for %q in\n%s", line, strings.Join(s.lines(), "\n"))
		}
	}
}
