package contract

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

// reportTimeout is how long a stopping bot tries to tell how its rooms ended.
const reportTimeout = 5 * time.Second

// done answers a command that has nothing to tell.
type done struct{}

// Commands are a bot's subscriptions: what it is asked for over NATS.
type Commands struct {
	nc     *nats.Conn
	bot    *verification.Bot
	places *queue
	stop   func() // ends the commands for rooms
	log    *slog.Logger
}

// Listen has the bot take commands.
func Listen(nc *nats.Conn, bot *verification.Bot, log *slog.Logger) (*Commands, error) {
	stop, err := serveRooms(nc, bot, log)
	if err != nil {
		return nil, err
	}
	c := &Commands{nc: nc, bot: bot, places: &queue{nc: nc, bot: bot, log: log}, stop: stop, log: log}
	if err := c.places.balance(); err != nil {
		stop()
		return nil, err
	}
	return c, nil
}

// Run goes on taking commands until ctx ends, then ends the bot's rooms. A bot
// that is without NATS for longer than patience ends its rooms too: nobody
// hears what happens in them.
func (c *Commands) Run(ctx context.Context, patience time.Duration) {
	c.watch(ctx, patience)

	c.places.leave()
	// The rooms' commands are answered until their last reports are out.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTimeout)
	defer cancel()
	c.bot.Shutdown(ctx)
	c.stop()
}

// serveRooms takes the commands for the rooms that this bot holds.
func serveRooms(nc *nats.Conn, bot *verification.Bot, log *slog.Logger) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, s := range stops {
			s()
		}
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	say, err := eventbus.ServeRPC(nc, event.RoomSaySubject(bot.ID()), "", log,
		func(ctx context.Context, req event.SayInRoom) (done, error) { return done{}, bot.Say(ctx, req) })
	if err != nil {
		return nil, err
	}
	stops = append(stops, say)
	state, err := eventbus.ServeRPC(nc, event.RoomStateSubject(bot.ID()), "", log, bot.State)
	if err != nil {
		return nil, err
	}
	stops = append(stops, state)
	end, err := eventbus.ServeRPC(nc, event.RoomCloseSubject(bot.ID()), "", log,
		func(ctx context.Context, req event.CloseRoom) (done, error) { return done{}, bot.Close(ctx, req) })
	if err != nil {
		return nil, err
	}
	stops = append(stops, end)
	return stop, nil
}

// watch keeps the bot's place in the queue in step with its free rooms, and
// counts how long NATS is away, until ctx ends.
func (c *Commands) watch(ctx context.Context, patience time.Duration) {
	status := c.nc.StatusChanged(nats.CONNECTED, nats.RECONNECTING)
	defer c.nc.RemoveStatusListener(status)
	away := time.NewTimer(patience)
	defer away.Stop()
	counting := true
	for {
		if counting && c.nc.IsConnected() {
			counting = false
			away.Stop()
		}
		select {
		case <-ctx.Done():
			return
		case <-c.bot.Changed():
			if err := c.places.balance(); err != nil {
				c.log.Warn("the bot's place in the queue is not up to date", "error", err)
			}
		case s := <-status:
			if s == nats.RECONNECTING && !counting {
				counting = true
				away.Reset(patience)
			}
		case <-away.C:
			if held := c.bot.Held(); held > 0 {
				c.log.Warn("rooms are given up", "rooms", held, "without_nats_for", patience)
			}
			c.bot.Abandon(ctx, fmt.Sprintf("the bot was without NATS for %s", patience))
		}
	}
}
