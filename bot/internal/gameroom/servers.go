package gameroom

import (
	"sync"
	"time"
)

// servers are the game's servers that the operator has chosen, used in turn.
type servers struct {
	mu   sync.Mutex
	all  []*server
	next int
}

type server struct {
	name    string
	backoff backoff
}

func newServers(names []string, limits BackoffLimits) *servers {
	s := &servers{}
	for _, name := range names {
		s.all = append(s.all, &server{name: name, backoff: backoff{limits: limits}})
	}
	return s
}

// inTurn lists the servers that are not left alone at the moment, the next one
// first. Where there are none it tells how long to wait for one.
func (s *servers) inTurn(now time.Time) (names []string, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.all {
		candidate := s.all[(s.next+i)%len(s.all)]
		left := candidate.backoff.left(now)
		if left <= 0 {
			names = append(names, candidate.name)
		} else if wait == 0 || left < wait {
			wait = left
		}
	}
	s.next = (s.next + 1) % len(s.all)
	if len(names) > 0 {
		wait = 0
	}
	return names, wait
}

func (s *servers) failed(name string, now time.Time) {
	s.change(name, func(b *backoff) { b.failed(now) })
}

func (s *servers) worked(name string) { s.change(name, (*backoff).worked) }

func (s *servers) change(name string, change func(*backoff)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, candidate := range s.all {
		if candidate.name == name {
			change(&candidate.backoff)
		}
	}
}
