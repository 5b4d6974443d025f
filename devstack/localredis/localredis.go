// Package localredis runs a Redis server (miniredis) inside this process, for development and tests.
package localredis

import (
	"fmt"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// tick is how exactly keys expire: miniredis never does it by itself.
const tick = 100 * time.Millisecond

// Server is a running Redis server whose keys expire as time goes by. Nothing of it survives Stop.
type Server struct {
	*miniredis.Miniredis

	stop chan struct{}
	done sync.WaitGroup
}

// Start runs a server on the loopback address; port 0 picks a free one.
func Start(port int) (*Server, error) {
	s := &Server{Miniredis: miniredis.NewMiniRedis(), stop: make(chan struct{})}
	if err := s.StartAddr(fmt.Sprintf("127.0.0.1:%d", port)); err != nil {
		return nil, fmt.Errorf("start Redis: %w", err)
	}
	s.done.Go(s.expire)
	return s, nil
}

// URL is where clients connect.
func (s *Server) URL() string { return "redis://" + s.Addr() + "/0" }

// Stop ends all connections and the server.
func (s *Server) Stop() {
	close(s.stop)
	s.done.Wait()
	s.Close()
}

func (s *Server) expire() {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-s.stop:
			return
		case now := <-ticker.C:
			// What really passed: a busy machine drops ticks.
			s.FastForward(now.Sub(last))
			last = now
		}
	}
}
