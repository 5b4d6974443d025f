package contract

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

// queue is the bot's place among the bots that are asked for rooms. A bot is in
// it only while it has a free room: NATS picks one of the queue, so a full bot
// in it would turn people away while another has room.
type queue struct {
	nc  *nats.Conn
	bot *verification.Bot
	log *slog.Logger

	mu   sync.Mutex
	stop func() // nil while the bot is not in the queue
	left bool   // for good
}

// balance enters or leaves the queue, as the bot's free rooms have it.
func (q *queue) balance() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	free := q.bot.Free() > 0 && !q.left
	switch {
	case free && q.stop == nil:
		stop, err := eventbus.ServeRPC(q.nc, event.RoomOpenSubject, event.RoomOpenQueue, q.log, q.open)
		if err != nil {
			return err
		}
		q.stop = stop
	case !free && q.stop != nil:
		// Not waited for: balance also runs within a request, for whose end stop waits.
		go q.stop()
		q.stop = nil
	}
	return nil
}

// leave leaves the queue for good and waits for the requests in hand.
func (q *queue) leave() {
	q.mu.Lock()
	stop := q.stop
	q.stop, q.left = nil, true
	q.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// open opens a room. A request that was already on its way when the last room
// was taken, or that this bot cannot serve now, is handed on to a bot that is
// still in the queue.
func (q *queue) open(ctx context.Context, req event.OpenRoom) (event.RoomOpened, error) {
	opened, err := q.bot.Open(ctx, req)
	if !errors.Is(err, verification.ErrFull) && !errors.Is(err, verification.ErrBackingOff) {
		return opened, err
	}
	if err := q.balance(); err != nil {
		return event.RoomOpened{}, err
	}
	if q.nc.FlushWithContext(ctx) != nil { // the server knows that this bot is out
		return event.RoomOpened{}, err
	}
	handed, elsewhere := eventbus.Call[event.OpenRoom, event.RoomOpened](ctx, q.nc, event.RoomOpenSubject, req)
	if errors.Is(elsewhere, eventbus.ErrUnavailable) {
		return event.RoomOpened{}, err
	}
	return handed, elsewhere
}
