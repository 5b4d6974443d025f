package natsapi

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/nats-io/nats.go"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// queue holds the bot's memberships of the queue groups that auth asks for rooms.
// NATS picks one member for each request, so a bot is subscribed to the requests for
// a room at once only while it has one, and to those for a place in a line only
// while its line accepts logins.
type queue struct {
	nc  *nats.Conn
	bot *verification.Bot
	log *slog.Logger

	mu         sync.Mutex
	open, wait func() // end the subscriptions; nil where there is none
	left       bool   // and does not come back
}

// update subscribes and unsubscribes as the bot's rooms and line have it.
func (q *queue) update() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.set(&q.open, event.RoomOpenSubject, q.bot.CanOpen() && !q.left, q.openNow); err != nil {
		return err
	}
	return q.set(&q.wait, event.RoomWaitSubject, q.bot.CanWait() && !q.left, q.bot.Open)
}

type openFunc = func(context.Context, event.OpenRoom) (event.RoomOpened, error)

func (q *queue) set(unsubscribe *func(), subject string, wanted bool, handle openFunc) error {
	switch {
	case wanted && *unsubscribe == nil:
		stop, err := eventbus.ServeRPC(q.nc, subject, event.RoomOpenQueue, q.log, handle)
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

// openNow opens a room at once. A request that was already on its way when the last
// room was taken goes on to a bot that has one; where there is none, it waits here.
func (q *queue) openNow(ctx context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	opened, err := q.bot.OpenNow(ctx, req)
	if !errors.Is(err, verification.ErrFull) && !errors.Is(err, verification.ErrBackingOff) {
		return opened, err
	}
	if err := q.update(); err != nil {
		return event.RoomOpened{}, err
	}
	if flushErr := q.nc.FlushWithContext(ctx); flushErr != nil { // the server knows that this bot is not subscribed
		return event.RoomOpened{}, err
	}
	passed, elsewhere := eventbus.Call[event.OpenRoom, event.RoomOpened](ctx, q.nc, event.RoomOpenSubject, req)
	if errors.Is(elsewhere, eventbus.ErrUnavailable) {
		return q.bot.Open(ctx, req)
	}
	return passed, elsewhere
}

// leave ends both subscriptions and waits for the requests under way.
func (q *queue) leave() {
	q.mu.Lock()
	stops := []func(){q.open, q.wait}
	q.open, q.wait, q.left = nil, nil, true
	q.mu.Unlock()
	for _, stop := range stops {
		if stop != nil {
			stop()
		}
	}
}
