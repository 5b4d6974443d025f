package natsapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// reportTimeout is how long a stopping bot tries to report the ends of its rooms.
const reportTimeout = 5 * time.Second

// done answers a command that returns nothing.
type done struct{}

// Server answers auth's requests with a bot. NATS picks one member of a queue group for each
// request, so the server is subscribed to the requests for a room only while the bot has one, and
// to those for a position in the queue only while the queue accepts logins.
type Server struct {
	nc    *nats.Conn
	bot   *verification.Bot
	log   *slog.Logger
	stops []func() // end the subscriptions to the commands for rooms

	mu         sync.Mutex
	open, wait func() // end the subscriptions of the queue groups; nil where there is none
	left       bool   // the server does not subscribe to the queue groups again
}

// NewServer subscribes to the requests for a bot.
func NewServer(nc *nats.Conn, bot *verification.Bot, log *slog.Logger) (*Server, error) {
	s := &Server{nc: nc, bot: bot, log: log}
	err := errors.Join(
		serve(s, event.RoomSaySubject(bot.ID()), command(bot.Say)),
		serve(s, event.RoomStateSubject(bot.ID()), bot.State),
		serve(s, event.RoomCloseSubject(bot.ID()), command(bot.Close)),
		s.update(),
	)
	if err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

func serve[Req, Resp any](s *Server, subject string, handle func(context.Context, Req) (Resp, error)) error {
	stop, err := eventbus.ServeRPC(s.nc, subject, "", s.log, handle)
	if err == nil {
		s.stops = append(s.stops, stop)
	}
	return err
}

func command[Req any](handle func(context.Context, Req) error) func(context.Context, Req) (done, error) {
	return func(ctx context.Context, req Req) (done, error) { return done{}, handle(ctx, req) }
}

func (s *Server) stop() {
	for _, stop := range s.stops {
		stop()
	}
}

// update subscribes to the queue groups and unsubscribes, as the bot's rooms and queue require.
func (s *Server) update() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(
		s.set(&s.open, event.RoomOpenSubject, s.bot.CanOpen() && !s.left, s.openNow),
		s.set(&s.wait, event.RoomWaitSubject, s.bot.CanWait() && !s.left, s.bot.Open),
	)
}

func (s *Server) set(
	unsubscribe *func(), subject string, wanted bool,
	handle func(context.Context, event.OpenRoom) (event.RoomOpened, error),
) error {
	switch {
	case wanted && *unsubscribe == nil:
		stop, err := eventbus.ServeRPC(s.nc, subject, event.RoomOpenQueue, s.log, handle)
		if err != nil {
			return err
		}
		*unsubscribe = stop
	case !wanted && *unsubscribe != nil:
		// Unsubscribing waits for the requests under way, which may wait for a room.
		go (*unsubscribe)()
		*unsubscribe = nil
	}
	return nil
}

// openNow opens a room at once. A request that was already on its way when the last room was taken
// is passed on to a bot that has a room. Without such a bot it waits in the queue here.
func (s *Server) openNow(ctx context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	opened, err := s.bot.OpenNow(ctx, req)
	if !errors.Is(err, verification.ErrFull) && !errors.Is(err, verification.ErrBackingOff) {
		return opened, err
	}
	if err := s.update(); err != nil {
		return event.RoomOpened{}, err
	}
	if flushErr := s.nc.FlushWithContext(ctx); flushErr != nil { // the request must not come back to this bot
		return event.RoomOpened{}, err
	}
	passed, elsewhere := eventbus.Call[event.RoomOpened](ctx, s.nc, event.RoomOpenSubject, req)
	if errors.Is(elsewhere, eventbus.ErrUnavailable) {
		return s.bot.Open(ctx, req)
	}
	return passed, elsewhere
}

// Run answers requests until ctx ends, then ends the bot's rooms. A bot that is without NATS for
// longer than outageTimeout ends its rooms, too, because its reports do not arrive.
func (s *Server) Run(ctx context.Context, outageTimeout time.Duration) {
	s.follow(ctx, outageTimeout)

	s.mu.Lock()
	leave := []func(){s.open, s.wait}
	s.open, s.wait, s.left = nil, nil, true
	s.mu.Unlock()
	for _, unsubscribe := range leave {
		if unsubscribe != nil {
			unsubscribe()
		}
	}
	// The commands for rooms are answered until the last reports are sent.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTimeout)
	defer cancel()
	s.bot.Shutdown(ctx)
	s.stop()
}

// follow updates the subscriptions and measures how long NATS is unavailable, until ctx ends.
func (s *Server) follow(ctx context.Context, outageTimeout time.Duration) {
	status := s.nc.StatusChanged(nats.CONNECTED, nats.RECONNECTING)
	defer s.nc.RemoveStatusListener(status)
	outage := time.NewTimer(outageTimeout) // NATS may be unavailable at the start
	defer outage.Stop()
	for counting := true; ; {
		if counting && s.nc.IsConnected() {
			counting = false
			outage.Stop()
		}
		select {
		case <-ctx.Done():
			return
		case <-s.bot.Changed():
			if err := s.update(); err != nil {
				s.log.WarnContext(ctx, "the bot's subscriptions are not up to date", "error", err)
			}
		case status := <-status:
			if status == nats.RECONNECTING && !counting {
				counting = true
				outage.Reset(outageTimeout)
			}
		case <-outage.C:
			if open := s.bot.Stats().InUse; open > 0 {
				s.log.WarnContext(ctx, "rooms are closed for lack of NATS", "rooms", open, "without_nats_for", outageTimeout)
			}
			s.bot.CloseAll(ctx, fmt.Sprintf("the bot was without NATS for %s", outageTimeout))
		}
	}
}
