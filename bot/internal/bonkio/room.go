package bonkio

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"sync"

	"golang.org/x/sync/errgroup"
)

// RoomSpec says what room to create: unlisted, and over when its host leaves.
type RoomSpec struct {
	Name     string
	Password Secret
	// Players is how many fit in, the host included.
	Players int
}

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

// RoomRefused says that the game does not give the room.
type RoomRefused struct {
	// Reason is the game's word: "room_full", "banned", "invalid_params".
	Reason string
}

// Error implements error.
func (e RoomRefused) Error() string { return "the game refused the room: " + e.Reason }

// Reasons for which a room ends that has a link.
var (
	errHostLeft = errors.New("the game has taken the room from its host")
	errRemoved  = errors.New("the game has removed the host from the room")
)

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

// CreateRoom creates a room on a game server and waits for its link. Its events
// wait for Watch, and Close is to be called in the end. Returns RoomRefused, or
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
		return RoomRefused{reason}
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

// handle takes one event. An error ends the room.
func (r *Room) handle(ctx context.Context, p packet) error {
	if p.kind != kindEvent {
		return nil // the server's time, which nothing here depends on
	}
	switch p.event {
	case gotCreated:
		closeOnce(r.created)
	case gotShareLink:
		return r.takeLink(p.args)
	case gotStatus:
		r.takeStatus(reason(p.args))
	case gotPing:
		return r.echoPing(ctx, p.args)
	case gotChat:
		if len(p.args) > 1 && isHost(p.args) {
			said, _ := text(p.args[1])
			r.chat.echoed(said)
		}
	case gotHostLeft:
		return errHostLeft
	case gotJoined, gotLeft, gotRemoved, gotRenamed:
		return r.tell(ctx, p)
	}
	return nil
}

// tell tells of who comes and goes, once somebody watches.
func (r *Room) tell(ctx context.Context, p packet) error {
	select {
	case <-r.watching:
	case <-ctx.Done():
		return ctx.Err()
	}
	switch p.event {
	case gotJoined:
		player, err := playerJoined(p.args)
		if err != nil {
			return err
		}
		if err := r.settle(ctx, player.ID); err != nil {
			return err
		}
		r.events.Joined(player)
	case gotRenamed:
		if isHost(p.args) {
			return nil
		}
		id, name, err := playerRenamed(p.args)
		if err != nil {
			return err
		}
		r.events.Renamed(id, name)
	default: // left or removed
		if isHost(p.args) {
			return errRemoved
		}
		id, err := playerID(p.args)
		if err != nil {
			return err
		}
		r.events.Left(id)
	}
	return nil
}

// settle tells a newcomer the room's settings, as a host must.
func (r *Room) settle(ctx context.Context, player int) error {
	return r.socket.emit(ctx, sendSettings, map[string]any{"sid": player, "gs": settings{
		Map: r.client.cfg.Map, GameType: 2, WinningScore: 3, TeamsLocked: true, Engine: "b", Mode: "b", Balance: []any{},
	}})
}

// settings are the lobby's, in the game's own abbreviations.
type settings struct {
	Map          string `json:"map"`
	GameType     int    `json:"gt"`
	WinningScore int    `json:"wl"`
	Quick        bool   `json:"q"`
	TeamsLocked  bool   `json:"tl"`
	Teams        bool   `json:"tea"`
	Engine       string `json:"ga"`
	Mode         string `json:"mo"`
	Balance      []any  `json:"bal"`
}

// linkParts are what a share link is made of: the room's number and the code
// that stands for the password.
var linkParts = regexp.MustCompile(`^[A-Za-z0-9]{1,64}$`)

func (r *Room) takeLink(args []json.RawMessage) error {
	if len(args) < 2 {
		return fmt.Errorf("%w: a link of %d parts", errNotUnderstood, len(args))
	}
	id, ok := readInt(args[0])
	if !ok {
		written, _ := text(args[0])
		id, ok = readInt(json.RawMessage(written))
	}
	bypass, err := text(args[1])
	if err != nil || !ok || id < 0 || !linkParts.MatchString(bypass) {
		return fmt.Errorf("%w: a link without a number or a code", errNotUnderstood)
	}
	select {
	case <-r.linked: // somebody may have it already
	default:
		r.link = fmt.Sprintf("%s%06d%s", r.client.cfg.LinkURL, id, bypass)
		close(r.linked)
	}
	return nil
}

// closeOnce closes a channel that only this goroutine closes.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// takeStatus takes a reason of the server's: before the room is there it stands
// against the room, later it is about something that was done in it.
func (r *Room) takeStatus(reason string) {
	if reason == "chat_rate_limit" {
		r.chat.limited()
		return
	}
	select {
	case r.refused <- reason:
	default:
	}
}

func (r *Room) echoPing(ctx context.Context, args []json.RawMessage) error {
	if len(args) == 0 {
		return nil
	}
	id, ok := readInt(args[len(args)-1])
	if !ok {
		return nil
	}
	return r.socket.emit(ctx, sendPing, map[string]int{"id": id})
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
