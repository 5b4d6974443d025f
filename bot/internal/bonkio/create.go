package bonkio

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
)

// RoomSpec says what room to create: unlisted, and over when its host leaves.
type RoomSpec struct {
	Name     string
	Password Secret
	// Players is the number of players that the room holds, the host included.
	Players int
}

// RoomRefusedError says that the game refused to create the room.
type RoomRefusedError struct {
	// Reason is the game's word: "room_full", "banned", "invalid_params".
	Reason string
}

// Error implements error.
func (e RoomRefusedError) Error() string { return "the game refused the room: " + e.Reason }

// IsLimit reports whether a limit of the game was reached: too many rooms, or too many at once.
func (e RoomRefusedError) IsLimit() bool { return isLimit(e.Reason) }

// CreateRoom creates a room on a game server and waits for its link. Its events
// wait for Watch, and Close must be called in the end. It returns RoomRefusedError,
// or an error of the connection.
func (c *Client) CreateRoom(ctx context.Context, server Server, host Session, spec RoomSpec) (*Room, error) {
	socket, err := c.connect(ctx, server.Name)
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &Room{
		client: c, server: server.Name, socket: socket, stop: stop, over: make(chan struct{}),
		created: make(chan struct{}), refused: make(chan string, 1), linked: make(chan struct{}),
		watching: make(chan struct{}), leaving: make(chan struct{}),
	}
	r.chat = newChat(c.cfg.ChatSpacing, r.over, func(ctx context.Context, line string) error {
		return socket.emit(ctx, sendChat, map[string]string{"message": line})
	})
	go r.run(running)
	if err := r.create(ctx, host, spec, server.Location); err != nil {
		r.Close(ctx)
		return nil, err
	}
	return r, nil
}

// create requests the room, sets it up and waits for its link.
func (r *Room) create(ctx context.Context, host Session, spec RoomSpec, at Location) error {
	peer, err := newPeerID()
	if err != nil {
		return err
	}
	if err := r.socket.timesync(ctx, 0); err != nil {
		return err
	}
	err = r.socket.emit(ctx, sendCreate, creation{
		PeerID: peer, RoomName: spec.Name, MaxPlayers: spec.Players, Password: string(spec.Password),
		DBID: host.ID, MaxLevel: 999, Latitude: at.Latitude, Longitude: at.Longitude, Country: at.Country,
		Version: r.client.cfg.Version, Hidden: 1, Mode: "custom", Token: string(host.Token),
		Avatar: plainAvatar,
	})
	if err != nil {
		return err
	}
	if err := r.await(ctx, r.created, "the room"); err != nil {
		return err
	}
	if err := r.socket.emit(ctx, sendEndOnHost); err != nil {
		return err
	}
	if err := r.socket.emit(ctx, sendTeamLock, map[string]bool{"teamLock": true}); err != nil {
		return err
	}
	return r.await(ctx, r.linked, "the room's link")
}

// creation is the payload of event 12.
type creation struct {
	PeerID     string     `json:"peerID"`
	RoomName   string     `json:"roomName"`
	MaxPlayers int        `json:"maxPlayers"`
	Password   string     `json:"password"`
	DBID       int64      `json:"dbid"`
	Guest      bool       `json:"guest"`
	MinLevel   int        `json:"minLevel"`
	MaxLevel   int        `json:"maxLevel"`
	Latitude   float64    `json:"latitude"`
	Longitude  float64    `json:"longitude"`
	Country    string     `json:"country"`
	Version    int        `json:"version"`
	Hidden     int        `json:"hidden"`
	Quick      bool       `json:"quick"`
	Mode       string     `json:"mode"`
	Token      string     `json:"token"`
	Avatar     avatarJSON `json:"avatar"`
}

// avatarJSON is the bot's skin: one colour, a plain teal.
type avatarJSON struct {
	Layers    []any `json:"layers"`
	BaseColor int   `json:"bc"`
}

var plainAvatar = avatarJSON{Layers: []any{}, BaseColor: 0x0097a7}

func (r *Room) await(ctx context.Context, event <-chan struct{}, what string) error {
	select {
	case <-event:
		return nil
	case reason := <-r.refused:
		return RoomRefusedError{reason}
	case <-r.over:
		return r.err
	case <-ctx.Done():
		return fmt.Errorf("wait for %s: %w", what, ctx.Err())
	}
}

const (
	peerCharacters = "0123456789abcdefghijklmnopqrstuvwxyz"
	peerLength     = 10
)

// newPeerID returns the id of a client: random characters and the game's suffix.
func newPeerID() (string, error) {
	id := make([]byte, peerLength, peerLength+len("v00000"))
	for i := range id {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(peerCharacters))))
		if err != nil {
			return "", fmt.Errorf("peer id: %w", err)
		}
		id[i] = peerCharacters[n.Int64()]
	}
	return string(id) + "v00000", nil
}
