package bonkio

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Events is told what happens in a room, in order, by one goroutine. Its methods return at once.
type Events interface {
	// Joined tells that a player came in.
	Joined(p Player)
	// Left tells that the player of that number went out, by will or not.
	Left(id int)
	// Renamed tells that a player took another name.
	Renamed(id int, name string)
	// Ended tells that the room is over although Close was not called. It is the last call.
	Ended(reason error)
}

// Room is a room of ours on a game server.
type Room struct {
	client *Client
	socket *socket
	chat   *chat
	stop   context.CancelFunc
	over   chan struct{} // closed when the connection is gone
	err    error         // why the room is over; written before that

	created chan struct{} // closed by event 2
	refused chan string   // gets the first reason against the room
	linked  chan struct{} // closed by event 49
	link    string        // written before that

	watching chan struct{} // closed by Watch
	events   Events        // written before that
	leaving  chan struct{} // closed by Close
	leave    sync.Once
}

// Link lets whoever has it into the room, without the password.
func (r *Room) Link() string { return r.link }

// Watch has events told of what happens from now on, and of what has happened
// since the creation. It is called once.
func (r *Room) Watch(events Events) {
	r.events = events
	close(r.watching)
}

// Say says a text in the chat and returns when it was said. Returns ErrChatFull,
// ErrRoomOver, or the error of ctx, with which the rest is not said any more.
func (r *Room) Say(ctx context.Context, text string) error { return r.chat.say(ctx, text) }

// Announce has a text said before what is said later, and waits for nothing.
// Returns ErrChatFull or ErrRoomOver.
func (r *Room) Announce(text string) error {
	_, err := r.chat.add(breakLines(text, maxLine))
	return err
}

// Remove puts a player out, who may come back.
func (r *Room) Remove(ctx context.Context, player int) error {
	return r.socket.emit(ctx, sendRemove, removal{Player: player, KickOnly: true})
}

// removal is the payload of event 9.
type removal struct {
	Player   int  `json:"banshortid"`
	KickOnly bool `json:"kickonly"`
}

// Close leaves the room, which ends it. It returns when the connection is gone,
// so it is not for Events to call.
func (r *Room) Close(ctx context.Context) {
	r.leave.Do(func() { close(r.leaving) })
	r.socket.close(context.WithoutCancel(ctx))
	r.stop()
	<-r.over
}

// run lives as long as the connection.
func (r *Room) run(ctx context.Context) {
	defer r.stop()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return r.socket.run(ctx, func(p packet) error { return r.handle(ctx, p) }) })
	g.Go(func() error { return r.chat.run(ctx) })
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
