package gameroom

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"capzone.dev/bot/internal/bonkio"
)

const (
	// choiceLifetime is how long the game's choice of a server is used.
	choiceLifetime = 10 * time.Minute
	// choiceRetry is the pause after a failed request for the choice.
	choiceRetry = time.Minute
	// findTimeout bounds the request.
	findTimeout = 5 * time.Second
)

// servers are the game servers on which to create rooms: the one that the game
// chooses, and as a fallback those of the operator, in turn.
type servers struct {
	client *bonkio.Client
	limits BackoffLimits
	log    *slog.Logger

	mu         sync.Mutex
	configured []bonkio.Server
	next       int
	chosen     bonkio.Server // without a name where the game has chosen none
	askAgainAt time.Time
	pauses     map[string]*pauses // by name
}

// candidates returns the servers without a pause, the best first. Where there are none it returns
// how long to wait for one.
func (s *servers) candidates(ctx context.Context) (found []bonkio.Server, wait time.Duration) {
	s.askGame(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Concat(s.configured[s.next:], s.configured[:s.next])
	if s.chosen.Name != "" {
		all = slices.Insert(all, 0, s.chosen)
	}
	s.next = (s.next + 1) % len(s.configured)
	for _, server := range all {
		left := s.pausesOf(server.Name).left(time.Now())
		if left <= 0 && !slices.ContainsFunc(found, func(f bonkio.Server) bool { return f.Name == server.Name }) {
			found = append(found, server)
		} else if left > 0 && (wait == 0 || left < wait) {
			wait = left
		}
	}
	return found, wait
}

// askGame requests the game's choice of a server, unless the last answer is still in use.
func (s *servers) askGame(ctx context.Context) {
	s.mu.Lock()
	due := time.Now().After(s.askAgainAt)
	if due {
		s.askAgainAt = time.Now().Add(choiceRetry) // other callers do not wait for the answer
	}
	s.mu.Unlock()
	if !due {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	chosen, err := s.client.FindServer(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "the game names no server, the configured ones are used", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chosen = chosen
	if err == nil {
		s.askAgainAt = time.Now().Add(choiceLifetime)
	}
}

func (s *servers) failed(name string, began time.Time, longest time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pausesOf(name).failed(began, time.Now(), longest)
}

func (s *servers) worked(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pausesOf(name).worked()
}

func (s *servers) pausesOf(name string) *pauses {
	if s.pauses[name] == nil {
		s.pauses[name] = new(newPauses(s.limits))
	}
	return s.pauses[name]
}
