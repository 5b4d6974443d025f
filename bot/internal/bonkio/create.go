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
	// Players is how many fit in, the host included.
	Players int
}

// RoomRefusedError says that the game does not give the room.
type RoomRefusedError struct {
	// Reason is the game's word: "room_full", "banned", "invalid_params".
	Reason string
}

// Error implements error.
func (e RoomRefusedError) Error() string { return "the game refused the room: " + e.Reason }

// CreateRoom creates a room on a game server and waits for its link. Its events
// wait for Watch, and Close is to be called in the end. Returns RoomRefusedError, or
// an error of the way there.
func (c *Client) CreateRoom(ctx context.Context, server string, host Session, spec RoomSpec) (*Room, error) {
	socket, err := c.connect(ctx, server)
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &Room{
		client: c, socket: socket, stop: stop, over: make(chan struct{}),
		created: make(chan struct{}), refused: make(chan string, 1), linked: make(chan struct{}),
		watching: make(chan struct{}), leaving: make(chan struct{}),
	}
	r.chat = newChat(c.cfg.ChatSpacing, func(ctx context.Context, line string) error {
		return socket.emit(ctx, sendChat, map[string]string{"message": line})
	})
	go r.run(running)
	if err := r.create(ctx, host, spec); err != nil {
		r.Close(ctx)
		return nil, err
	}
	return r, nil
}

// create asks for the room and takes what the server has to say to it.
func (r *Room) create(ctx context.Context, host Session, spec RoomSpec) error {
	peer, err := peerID()
	if err != nil {
		return err
	}
	at := r.client.cfg.Location
	err = r.socket.emit(ctx, sendCreate, creation{
		PeerID: peer, RoomName: spec.Name, MaxPlayers: spec.Players, Password: string(spec.Password),
		DBID: host.ID, MaxLevel: 999, Latitude: at.Latitude, Longitude: at.Longitude, Country: at.Country,
		Version: r.client.cfg.Version, Hidden: 1, Mode: "custom", Token: string(host.Token),
		Avatar: hostAvatar{Layers: []any{}, BaseColor: hostColor},
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
	if err := r.synchronise(ctx); err != nil {
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
	Avatar     hostAvatar `json:"avatar"`
}

type hostAvatar struct {
	Layers    []any `json:"layers"`
	BaseColor int   `json:"bc"`
}

// hostColor is the host's skin: a plain teal.
const hostColor = 0x0097a7

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

// synchronise asks for the server's time, as every client does when it comes in.
func (r *Room) synchronise(ctx context.Context) error {
	frame, err := callOf("0", sendTimesync, map[string]any{"jsonrpc": "2.0", "id": 0, "method": "timesync"})
	if err != nil {
		return err
	}
	return r.socket.write(ctx, frame)
}

const (
	peerCharacters = "0123456789abcdefghijklmnopqrstuvwxyz"
	peerLength     = 10
)

// peerID is what a client calls itself: random characters and the game's suffix.
func peerID() (string, error) {
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
