package bonkio

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// timesyncEvery is how often a client synchronises its clock.
const timesyncEvery = 10 * time.Second

// Events receives what happens in a room, in order, from one goroutine. Its methods return at once.
type Events interface {
	// Joined reports that a player entered.
	Joined(p Player)
	// Left reports that the player of that number left or was removed.
	Left(id int)
	// Renamed reports that a player took another name.
	Renamed(id int, name string)
	// Ended reports that the room is over although Close was not called. It is the last call.
	Ended(reason error)
}

// Room is a room that this client hosts on a game server.
type Room struct {
	client *Client
	server string
	socket *socket
	chat   *chat
	stop   context.CancelFunc
	over   chan struct{} // closed when the connection has ended
	err    error         // why the room is over; written before that

	created chan struct{} // closed by event 2
	address string        // written before that
	refused chan string   // receives the first reason against the room
	linked  chan struct{} // closed by event 49
	link    string        // written before that
	bypass  string        // written before that

	watching chan struct{} // closed by Watch
	events   Events        // written before that
	leaving  chan struct{} // closed by Close
	leave    sync.Once
}

// Link lets its holder into the room, without the password.
func (r *Room) Link() string { return r.link }

// Over is closed when the room is over.
func (r *Room) Over() <-chan struct{} { return r.over }

// Watch reports to events what happens from now on, and what has happened since
// the creation. It is called once.
func (r *Room) Watch(events Events) {
	r.events = events
	close(r.watching)
}

// Say writes a text to the chat and returns when it was passed on to the room.
// It returns ErrRoomOver, ErrNoEcho, ErrChatLimited, or the error of ctx.
func (r *Room) Say(ctx context.Context, text string) error { return r.chat.say(ctx, text) }

// Remove removes a player, who may come back.
func (r *Room) Remove(ctx context.Context, player int) error {
	return r.socket.emit(ctx, sendRemove, removal{Player: player, KickOnly: true})
}

// removal is the payload of event 9.
type removal struct {
	Player   int  `json:"banshortid"`
	KickOnly bool `json:"kickonly"`
}

// Close leaves the room, which ends it. It returns when the connection has
// ended, so Events must not call it.
func (r *Room) Close(ctx context.Context) {
	r.leave.Do(func() { close(r.leaving) })
	r.socket.close(context.WithoutCancel(ctx))
	r.stop()
	<-r.over
}

// run handles the connection until it ends.
func (r *Room) run(ctx context.Context) {
	defer r.stop()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return r.socket.run(ctx, func(p packet) error { return r.handle(ctx, p) }) })
	g.Go(func() error { return r.synchronise(ctx) })
	r.err = g.Wait()
	close(r.over)

	select {
	case <-r.watching:
	case <-r.leaving:
		return
	}
	select {
	case <-r.leaving:
	default:
		r.events.Ended(r.err)
	}
}

// synchronise asks for the server's time now and then, as the game's client does.
func (r *Room) synchronise(ctx context.Context) error {
	for id := 1; ; id++ {
		if err := pause(ctx, timesyncEvery); err != nil {
			return err
		}
		if err := r.socket.timesync(ctx, id); err != nil {
			return err
		}
	}
}
