package bonkio

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
)

// RoomSpec describes a room to create: unlisted, and ended when its host leaves.
type RoomSpec struct {
	Name     string
	Password Secret
	// Players is the number of players that the room holds, the host included.
	Players int
}

// RoomRefusedError means that the game refused to create a room, or to let a visitor into it.
type RoomRefusedError struct {
	// Reason is the game's word: "room_full", "banned", "invalid_params".
	Reason string
}

func (e RoomRefusedError) Error() string { return "the game refused the room: " + e.Reason }

// IsLimit reports whether a limit of the game was reached: too many rooms, or too many at once.
func (e RoomRefusedError) IsLimit() bool { return isLimit(e.Reason) }

// Events receives the events of a room, in order, from one goroutine. Its methods return at once.
type Events interface {
	// Joined reports that a player entered.
	Joined(p Player)
	// Left reports that the player of that number left or was removed.
	Left(id int)
	// Renamed reports that a player took another name.
	Renamed(id int, name string)
	// Ended reports that the room has ended although Close was not called. It is the last call.
	Ended(reason error)
}

// Room is a room that this client hosts on a game server.
type Room struct {
	client *Client
	server string
	socket *socket
	chat   *chat

	created chan struct{} // closed by event 2
	address string        // written before that
	linked  chan struct{} // closed by event 49
	link    string        // written before that
	bypass  string        // written before that

	watching chan struct{} // closed by Watch
	events   Events        // written before that
	leaving  chan struct{} // closed by Close
	leave    sync.Once
}

// CreateRoom creates a room on a game server and waits for its link. Its events
// are kept for Watch, and Close must be called in the end. It returns RoomRefusedError,
// or an error of the connection.
func (c *Client) CreateRoom(ctx context.Context, server Server, host Session, spec RoomSpec) (*Room, error) {
	socket, err := c.connect(ctx, server.Name)
	if err != nil {
		return nil, err
	}
	r := &Room{
		client: c, server: server.Name, socket: socket, created: make(chan struct{}), linked: make(chan struct{}),
		watching: make(chan struct{}), leaving: make(chan struct{}),
		chat: newChat(c.cfg.ChatSpacing, func(ctx context.Context, line string) error {
			return socket.emit(ctx, sendChat, map[string]string{"message": line})
		}),
	}
	socket.start(ctx, r.handle)
	go r.reportEnd()
	if err := r.create(ctx, host, spec, server.Location); err != nil {
		r.Close(ctx)
		return nil, err
	}
	return r, nil
}

// create requests the room, sets it up and waits for its link.
func (r *Room) create(ctx context.Context, host Session, spec RoomSpec, at Location) error {
	if err := r.socket.timesync(ctx, 0); err != nil {
		return err
	}
	err := r.socket.emit(ctx, sendCreate, creation{
		PeerID: newPeerID(), RoomName: spec.Name, MaxPlayers: spec.Players, Password: string(spec.Password),
		DBID: host.ID, MaxLevel: 999, Latitude: at.Latitude, Longitude: at.Longitude, Country: at.Country,
		Version: r.client.cfg.Version, Hidden: 1, Mode: "custom", Token: string(host.Token),
		Avatar: plainAvatar,
	})
	if err != nil {
		return err
	}
	if err := r.socket.await(ctx, r.created, "the room"); err != nil {
		return err
	}
	if err := r.socket.emit(ctx, sendEndOnHost); err != nil {
		return err
	}
	if err := r.socket.emit(ctx, sendTeamLock, map[string]bool{"teamLock": true}); err != nil {
		return err
	}
	return r.socket.await(ctx, r.linked, "the room's link")
}

// Link lets its holder into the room, without the password.
func (r *Room) Link() string { return r.link }

// Done is closed when the room has ended.
func (r *Room) Done() <-chan struct{} { return r.socket.ended.Done() }

// Watch reports the events of the room from its creation on. It is called once.
func (r *Room) Watch(events Events) {
	r.events = events
	close(r.watching)
}

// Say writes a text to the chat and returns when it was passed on to the room.
// It returns ErrRoomEnded, ErrNoEcho, ErrChatLimited, or the error of ctx.
func (r *Room) Say(ctx context.Context, text string) error {
	return r.chat.say(ctx, r.socket.ended, text)
}

// Remove removes a player, who may enter again.
func (r *Room) Remove(ctx context.Context, player int) error {
	return r.socket.emit(ctx, sendRemove, map[string]any{"banshortid": player, "kickonly": true})
}

// Close leaves the room, which ends it. It returns when the connection has
// ended, so Events must not call it.
func (r *Room) Close(ctx context.Context) {
	r.leave.Do(func() { close(r.leaving) })
	r.socket.close(ctx)
}

// reportEnd reports the end of the connection, unless it is wanted.
func (r *Room) reportEnd() {
	<-r.Done()
	select {
	case <-r.watching:
	case <-r.leaving:
	}
	if !isClosed(r.leaving) {
		r.events.Ended(context.Cause(r.socket.ended))
	}
}

// newPeerID returns the id of a client: ten random characters and the game's suffix.
func newPeerID() string { return strings.ToLower(rand.Text()[:10]) + "v00000" }
