package bonkio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// firstDataTimeout is how long the game's client waits for the first data.
	firstDataTimeout = 6 * time.Second
	// visitTimesyncs is how often a visitor synchronises its clock before it joins.
	visitTimesyncs = 3
	// timesyncTimeout is how long a visitor waits for one answer.
	timesyncTimeout = 2 * time.Second
	// maxPage bounds what is read of a link's page, in bytes.
	maxPage = 1 << 20
)

// VisitStep is a step of a visit.
type VisitStep string

// The steps of a visit, in their order.
const (
	VisitPage      VisitStep = "page"       // the link's page opens
	VisitConnect   VisitStep = "connect"    // a second connection to the server
	VisitJoin      VisitStep = "join"       // the server lets the visitor in
	VisitFirstData VisitStep = "first_data" // the host's settings arrive and can be shown
	VisitChat      VisitStep = "chat"       // a line of the host's arrives
	VisitRemoval   VisitStep = "removal"    // the host removes the visitor
)

// VisitSteps returns all steps.
func VisitSteps() []VisitStep {
	return []VisitStep{VisitPage, VisitConnect, VisitJoin, VisitFirstData, VisitChat, VisitRemoval}
}

// VisitError says at which step a visit failed.
type VisitError struct {
	Step  VisitStep
	Cause error
}

// Error implements error.
func (e VisitError) Error() string {
	return fmt.Sprintf("the bot cannot visit its own room (%s): %v", e.Step, e.Cause)
}

// Unwrap returns the cause.
func (e VisitError) Unwrap() error { return e.Cause }

// Visit is a visit to a room, by a guest.
type Visit struct {
	socket *socket
	stop   context.CancelFunc
	over   chan struct{} // closed when the connection has ended

	synced  chan struct{} // receives a token for each answer to a timesync
	entered chan struct{} // closed by event 3
	refused chan string
	lobby   chan json.RawMessage // receives the first data
	lines   chan string          // the host's lines
}

// Enter enters a room as a guest, over a connection of its own, in the steps of
// the game's client, and returns when the lobby could be shown. The room must be
// watched. Leave must be called in the end. It returns VisitError.
func (r *Room) Enter(ctx context.Context, guestName string) (*Visit, error) {
	if err := r.client.openPage(ctx, r.link); err != nil {
		return nil, VisitError{VisitPage, err}
	}
	socket, err := r.client.connect(ctx, r.server)
	if err != nil {
		return nil, VisitError{VisitConnect, err}
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	v := &Visit{
		socket: socket, stop: stop, over: make(chan struct{}), synced: make(chan struct{}, visitTimesyncs),
		entered: make(chan struct{}), refused: make(chan string, 1), lobby: make(chan json.RawMessage, 1),
		lines: make(chan string, 16),
	}
	go func() {
		defer close(v.over)
		_ = socket.run(running, func(p packet) error { return v.handle(running, p) })
	}()
	if err := v.join(ctx, r, guestName); err != nil {
		v.Leave()
		return nil, err
	}
	return v, nil
}

// openPage opens the page of a link, as a player's browser does. The error does not hold the link.
func (c *Client) openPage(ctx context.Context, link string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return errors.New("the link is no address")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return withoutAddress(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, maxPage)); err != nil {
		return withoutAddress(err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("the page answers with status %d", resp.StatusCode)
	}
	return nil
}

// joinRequest is the payload of event 13.
type joinRequest struct {
	Address   string     `json:"joinID"`
	Password  string     `json:"roomPassword"`
	Guest     bool       `json:"guest"`
	GuestName string     `json:"guestName"`
	DBID      int        `json:"dbid"`
	Version   int        `json:"version"`
	PeerID    string     `json:"peerID"`
	Bypass    string     `json:"bypass"`
	Avatar    avatarJSON `json:"avatar"`
}

func (v *Visit) join(ctx context.Context, r *Room, guestName string) error {
	for id := range visitTimesyncs {
		if err := v.socket.timesync(ctx, id); err != nil {
			return VisitError{VisitConnect, err}
		}
		if err := v.awaitTimesync(ctx); err != nil {
			return VisitError{VisitConnect, err}
		}
	}
	peer, err := newPeerID()
	if err != nil {
		return VisitError{VisitJoin, err}
	}
	err = v.socket.emit(ctx, sendJoin, joinRequest{
		Address: r.address, Guest: true, GuestName: guestName, DBID: 2, Version: r.client.cfg.Version, PeerID: peer,
		Bypass: r.bypass, Avatar: plainAvatar,
	})
	if err != nil {
		return VisitError{VisitJoin, err}
	}
	if err := v.await(ctx, v.entered); err != nil {
		return VisitError{VisitJoin, err}
	}
	ctx, cancel := context.WithTimeout(ctx, firstDataTimeout)
	defer cancel()
	select {
	case lobby := <-v.lobby:
		if err := checkLobby(lobby); err != nil {
			return VisitError{VisitFirstData, err}
		}
		return nil
	case <-v.over:
		return VisitError{VisitFirstData, errDisconnected}
	case <-ctx.Done():
		return VisitError{VisitFirstData, ctx.Err()}
	}
}

// checkLobby reports whether the game's client could show the lobby.
func checkLobby(lobby json.RawMessage) error {
	var shown struct {
		Map struct {
			Physics *struct {
				Shapes, Fixtures, Bodies *[]json.RawMessage
			} `json:"physics"`
			Metadata *struct {
				Name *string `json:"n"`
			} `json:"m"`
		} `json:"map"`
	}
	if err := json.Unmarshal(lobby, &shown); err != nil {
		return fmt.Errorf("the map of the first data is no object: %w", err)
	}
	physics, metadata := shown.Map.Physics, shown.Map.Metadata
	if physics == nil || physics.Shapes == nil || physics.Fixtures == nil || physics.Bodies == nil ||
		metadata == nil || metadata.Name == nil {
		return errors.New("the map of the first data is not complete")
	}
	return nil
}

// AwaitLine waits until the host has said a line. It returns VisitError.
func (v *Visit) AwaitLine(ctx context.Context, want string) error {
	for {
		select {
		case line := <-v.lines:
			if line == want {
				return nil
			}
		case <-v.over:
			return VisitError{VisitChat, errDisconnected}
		case <-ctx.Done():
			return VisitError{VisitChat, ctx.Err()}
		}
	}
}

// AwaitRemoval waits until the server has disconnected the visitor. It returns VisitError.
func (v *Visit) AwaitRemoval(ctx context.Context) error {
	select {
	case <-v.over:
		return nil
	case <-ctx.Done():
		return VisitError{VisitRemoval, ctx.Err()}
	}
}

// Over is closed when the visit is over.
func (v *Visit) Over() <-chan struct{} { return v.over }

// Leave ends the visit.
func (v *Visit) Leave() {
	v.socket.close(context.Background())
	v.stop()
	<-v.over
}

// awaitTimesync waits for the answer to a timesync, and goes on without one after a while.
func (v *Visit) awaitTimesync(ctx context.Context) error {
	select {
	case <-v.synced:
		return nil
	case <-time.After(timesyncTimeout):
		return nil
	case <-v.over:
		return errDisconnected
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (v *Visit) await(ctx context.Context, happened <-chan struct{}) error {
	select {
	case <-happened:
		return nil
	case reason := <-v.refused:
		return fmt.Errorf("the game refused the visitor: %s", reason)
	case <-v.over:
		return errDisconnected
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errVisitOver ends the connection of a visitor who was removed.
var errVisitOver = errors.New("the visit is over")

// handle handles one packet. An error ends the visit.
func (v *Visit) handle(ctx context.Context, p packet) error {
	if p.kind == kindAck {
		offer(v.synced, struct{}{})
		return nil
	}
	switch p.event {
	case gotTimesync:
		offer(v.synced, struct{}{})
	case gotPing:
		return v.socket.echoPing(ctx, p.args)
	case gotEntered:
		select {
		case <-v.entered:
		default:
			close(v.entered)
		}
	case gotStatus:
		offer(v.refused, statusReason(p.args))
	case gotSettings:
		if len(p.args) > 0 {
			offer(v.lobby, json.RawMessage(bytes.Clone(p.args[0])))
		}
	case gotChat:
		if len(p.args) > 1 && isHost(p.args) {
			line, _ := text(p.args[1])
			offer(v.lines, line)
		}
	case gotRemoved, gotHostLeft:
		// A visitor that is not the host is the only other player in a room for two.
		return errVisitOver
	}
	return nil
}

// offer sends a value unless the channel is full.
func offer[T any](c chan<- T, value T) {
	select {
	case c <- value:
	default:
	}
}
