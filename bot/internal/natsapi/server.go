package natsapi

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// reportTimeout is how long a stopping bot tries to report how its rooms ended.
const reportTimeout = 5 * time.Second

// done answers a command that returns nothing.
type done struct{}

// Server answers auth's requests with a bot.
type Server struct {
	nc    *nats.Conn
	bot   *verification.Bot
	queue *queue
	stops []func() // end the commands for rooms
	log   *slog.Logger
}

// NewServer subscribes to the requests for a bot.
func NewServer(nc *nats.Conn, bot *verification.Bot, log *slog.Logger) (*Server, error) {
	s := &Server{nc: nc, bot: bot, queue: &queue{nc: nc, bot: bot, log: log}, log: log}
	err := s.serveRooms()
	if err == nil {
		err = s.queue.update()
	}
	if err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// serveRooms subscribes to the commands for the rooms that this bot holds.
func (s *Server) serveRooms() error {
	say := func(ctx context.Context, req event.SayInRoom) (done, error) { return done{}, s.bot.Say(ctx, req) }
	if err := add(s, event.RoomSaySubject(s.bot.ID()), say); err != nil {
		return err
	}
	if err := add(s, event.RoomStateSubject(s.bot.ID()), s.bot.State); err != nil {
		return err
	}
	end := func(ctx context.Context, req event.CloseRoom) (done, error) { return done{}, s.bot.Close(ctx, req) }
	return add(s, event.RoomCloseSubject(s.bot.ID()), end)
}

func add[Req, Resp any](s *Server, subject string, handle func(context.Context, Req) (Resp, error)) error {
	stop, err := eventbus.ServeRPC(s.nc, subject, "", s.log, handle)
	if err == nil {
		s.stops = append(s.stops, stop)
	}
	return err
}

func (s *Server) stop() {
	for _, stop := range s.stops {
		stop()
	}
}

// Run answers requests until ctx ends, then ends the bot's rooms. A bot that is
// without NATS for longer than patience ends its rooms too, because nobody receives
// its reports.
func (s *Server) Run(ctx context.Context, patience time.Duration) {
	s.follow(ctx, patience)

	s.queue.leave()
	// The rooms' commands are answered until their last reports are out.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTimeout)
	defer cancel()
	s.bot.Shutdown(ctx)
	s.stop()
}

// follow keeps the subscriptions up to date and measures how long NATS is away, until ctx ends.
func (s *Server) follow(ctx context.Context, patience time.Duration) {
	status := s.nc.StatusChanged(nats.CONNECTED, nats.RECONNECTING)
	defer s.nc.RemoveStatusListener(status)
	away := time.NewTimer(patience)
	defer away.Stop()
	counting := true
	for {
		if counting && s.nc.IsConnected() {
			counting = false
			away.Stop()
		}
		select {
		case <-ctx.Done():
			return
		case <-s.bot.Changed():
			if err := s.queue.update(); err != nil {
				s.log.WarnContext(ctx, "the bot's subscriptions are not up to date", "error", err)
			}
		case status := <-status:
			if status == nats.RECONNECTING && !counting {
				counting = true
				away.Reset(patience)
			}
		case <-away.C:
			if held := s.bot.Held(); held > 0 {
				s.log.WarnContext(ctx, "rooms are closed", "rooms", held, "without_nats_for", patience)
			}
			s.bot.CloseAll(ctx, fmt.Sprintf("the bot was without NATS for %s", patience))
		}
	}
}
