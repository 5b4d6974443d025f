package bonkio

import (
	"bytes"
	"context"
	"crypto/rand"
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

// The steps of a visit, in their order.
const (
	VisitPage      = "page"       // the link's page opens
	VisitConnect   = "connect"    // a second connection to the server
	VisitJoin      = "join"       // the server accepts the visitor
	VisitFirstData = "first_data" // the host's settings arrive and are complete
	VisitChat      = "chat"       // a line of the host arrives
	VisitRemoval   = "removal"    // the host removes the visitor
)

// VisitSteps returns all steps.
func VisitSteps() []string {
	return []string{VisitPage, VisitConnect, VisitJoin, VisitFirstData, VisitChat, VisitRemoval}
}

// VisitError names the step at which a visit failed.
type VisitError struct {
	Step  string
	Cause error
}

func (e VisitError) Error() string {
	return fmt.Sprintf("the bot cannot visit its own room (%s): %v", e.Step, e.Cause)
}

func (e VisitError) Unwrap() error { return e.Cause }

// Visit enters the room as a guest, over a second connection and in the steps of the game's
// client, reads a line of the host and is removed. It calls Watch. It returns VisitError.
func (r *Room) Visit(ctx context.Context) error {
	v := &visit{
		room: r, synced: make(chan struct{}, visitTimesyncs), entered: make(chan struct{}),
		settled: make(chan struct{}), lines: make(chan string, 16), joined: make(chan int, 1),
	}
	r.Watch(v)
	if err := r.client.openPage(ctx, r.link); err != nil {
		return VisitError{VisitPage, err}
	}
	socket, err := r.client.connect(ctx, r.server)
	if err != nil {
		return VisitError{VisitConnect, err}
	}
	v.socket = socket
	socket.start(ctx, v.handle)
	defer socket.close(ctx)
	for _, step := range []struct {
		name string
		run  func(ctx context.Context) error
	}{
		{VisitConnect, v.synchronise}, {VisitJoin, v.join}, {VisitFirstData, v.readLobby},
		{VisitChat, v.readLine}, {VisitRemoval, v.awaitRemoval},
	} {
		if err := step.run(ctx); err != nil {
			return VisitError{step.name, err}
		}
	}
	return nil
}

// openPage opens the page of a link, as a player's browser does. The error does not contain the link.
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

// visit is a visit to a room. It is the room's Events, which its host receives.
type visit struct {
	room   *Room
	socket *socket // of the visitor

	synced  chan struct{} // receives a token for each answer to a timesync
	entered chan struct{} // closed by event 3
	settled chan struct{} // closed by the first data
	lobby   []byte        // written before that
	lines   chan string   // the host's lines
	joined  chan int      // receives the visitor's number from the host
}

func (v *visit) Joined(p Player) { offer(v.joined, p.ID) }

func (v *visit) Left(int) {}

func (v *visit) Renamed(int, string) {}

// Ended implements Events. The visit fails by itself.
func (v *visit) Ended(error) {}

// synchronise synchronises the clock. Like the game's client it continues without an answer.
func (v *visit) synchronise(ctx context.Context) error {
	for id := range visitTimesyncs {
		if err := v.socket.timesync(ctx, id); err != nil {
			return err
		}
		select {
		case <-v.synced:
		case <-time.After(timesyncTimeout):
		case <-v.socket.ended.Done():
			return context.Cause(v.socket.ended)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (v *visit) join(ctx context.Context) error {
	err := v.socket.emit(ctx, sendJoin, joinRequest{
		Address: v.room.address, Guest: true, GuestName: "check" + rand.Text()[:6], DBID: 2,
		Version: v.room.client.cfg.Version, PeerID: newPeerID(), Bypass: v.room.bypass, Avatar: plainAvatar,
	})
	if err != nil {
		return err
	}
	return v.socket.await(ctx, v.entered, "the room")
}

// readLobby waits for the first data and checks that the game's client could show the lobby.
func (v *visit) readLobby(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, firstDataTimeout)
	defer cancel()
	if err := v.socket.await(ctx, v.settled, "the first data"); err != nil {
		return err
	}
	var lobby struct {
		Map struct {
			Physics *struct {
				Shapes, Fixtures, Bodies *[]json.RawMessage
			} `json:"physics"`
			Metadata *struct {
				Name *string `json:"n"`
			} `json:"m"`
		} `json:"map"`
	}
	if err := json.Unmarshal(v.lobby, &lobby); err != nil {
		return fmt.Errorf("the map of the first data is no object: %w", err)
	}
	physics, metadata := lobby.Map.Physics, lobby.Map.Metadata
	if physics == nil || physics.Shapes == nil || physics.Fixtures == nil || physics.Bodies == nil ||
		metadata == nil || metadata.Name == nil {
		return errors.New("the map of the first data is not complete")
	}
	return nil
}

// readLine has the host send a line and waits for it.
func (v *visit) readLine(ctx context.Context) error {
	want := "Check " + rand.Text()
	if err := v.room.Say(ctx, want); err != nil {
		return err
	}
	for {
		select {
		case line := <-v.lines:
			if line == want {
				return nil
			}
		case <-v.socket.ended.Done():
			return context.Cause(v.socket.ended)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// awaitRemoval has the host remove the visitor and waits until the server has done so.
func (v *visit) awaitRemoval(ctx context.Context) error {
	select {
	case number := <-v.joined:
		if err := v.room.Remove(ctx, number); err != nil {
			return err
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-v.socket.ended.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errRemovedVisitor ends the connection of a visitor who was removed.
var errRemovedVisitor = errors.New("the visitor was removed")

// handle handles one packet of the visitor's connection. An error ends it.
func (v *visit) handle(ctx context.Context, p packet) error {
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
		if !isClosed(v.entered) {
			close(v.entered)
		}
	case gotStatus:
		offer(v.socket.refused, statusReason(p.args))
	case gotSettings:
		if len(p.args) > 0 && !isClosed(v.settled) {
			v.lobby = bytes.Clone(p.args[0])
			close(v.settled)
		}
	case gotChat:
		if len(p.args) > 1 && isHost(p.args) {
			line, _ := text(p.args[1])
			offer(v.lines, line)
		}
	case gotRemoved, gotHostLeft:
		// The visitor is the only player beside the host in a room for two.
		return errRemovedVisitor
	}
	return nil
}
