// Package localnats runs a NATS server with JetStream inside this process, for development and tests.
package localnats

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options configure a server.
type Options struct {
	Dir  string            // streams are stored here
	Port int               // 0 picks a free one
	Log  func(line string) // warnings and errors; nil drops them
}

// Server is a running NATS server, on the loopback address only.
type Server struct {
	inner *server.Server
}

const readyTimeout = 20 * time.Second

// Start runs a server and returns when it accepts connections.
func Start(o Options) (*Server, error) {
	port := o.Port
	if port == 0 {
		port = server.RANDOM_PORT
	}
	inner, err := server.NewServer(&server.Options{
		ServerName: "capzone-local",
		Host:       "127.0.0.1",
		Port:       port,
		JetStream:  true,
		StoreDir:   o.Dir,
		NoSigs:     true,
	})
	if err != nil {
		return nil, fmt.Errorf("NATS server: %w", err)
	}
	events := &log{line: o.Log, fatal: make(chan error, 1)}
	inner.SetLoggerV2(events, false, false, false)
	ready := make(chan bool, 1)
	go func() {
		inner.Start()
		ready <- inner.ReadyForConnections(readyTimeout) && inner.JetStreamEnabled()
	}()
	select {
	case ok := <-ready:
		if ok {
			return &Server{inner}, nil
		}
		err = errors.New("not ready in time")
	case err = <-events.fatal:
	}
	inner.Shutdown()
	return nil, fmt.Errorf("NATS server: %w", err)
}

// URL returns the address for clients.
func (s *Server) URL() string { return s.inner.ClientURL() }

// Stop ends all connections and the server; the streams are on disk when it returns.
func (s *Server) Stop() {
	s.inner.Shutdown()
	s.inner.WaitForShutdown()
}

// log receives the server's log. A fatal error ends the start; notices are dropped.
type log struct {
	line  func(string)
	fatal chan error
}

func (l *log) Fatalf(format string, v ...any) {
	l.Errorf(format, v...) // also logged before Start returns
	select {
	case l.fatal <- fmt.Errorf(format, v...):
	default:
	}
}

func (l *log) Errorf(format string, v ...any) {
	if l.line != nil {
		l.line(fmt.Sprintf(format, v...))
	}
}

func (l *log) Warnf(format string, v ...any) { l.Errorf(format, v...) }

func (*log) Noticef(string, ...any) {}
func (*log) Debugf(string, ...any)  {}
func (*log) Tracef(string, ...any)  {}
