package bonkio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// Reasons for which the game ends a room.
var (
	// ErrHostChanged means that the game made another player the host.
	ErrHostChanged = errors.New("the game has handed the room to another host")

	errHostLeft = errors.New("the game has closed the room")
	errRemoved  = errors.New("the game has removed the host from the room")
)

// handle handles one packet. An error ends the room.
func (r *Room) handle(ctx context.Context, p packet) error {
	if p.kind != kindEvent {
		return nil // the server's time
	}
	switch p.event {
	case gotCreated:
		r.setCreated(p.args)
	case gotShareLink:
		return r.setLink(p.args)
	case gotStatus:
		r.handleStatus(statusReason(p.args))
	case gotPing:
		return r.socket.echoPing(ctx, p.args)
	case gotChat:
		if len(p.args) > 1 && isHost(p.args) {
			line, _ := text(p.args[1])
			offer(r.chat.echoes, line)
		}
	case gotHostChanged:
		return ErrHostChanged
	case gotHostLeft:
		if len(p.args) > 1 {
			if next, ok := readInt(p.args[1]); ok && next > hostID {
				return ErrHostChanged
			}
		}
		return errHostLeft
	case gotJoined, gotLeft, gotRemoved, gotRenamed:
		return r.handlePlayer(ctx, p)
	}
	return nil
}

// handlePlayer reports players who enter, leave or change their names, once Watch was called.
// The host's own join and name are ignored.
func (r *Room) handlePlayer(ctx context.Context, p packet) error {
	if isHost(p.args) {
		if p.event == gotLeft || p.event == gotRemoved {
			return errRemoved
		}
		return nil
	}
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
		if err := r.sendSettings(ctx, player.ID); err != nil {
			return err
		}
		r.events.Joined(player)
	case gotRenamed:
		id, name, err := playerRenamed(p.args)
		if err != nil {
			return err
		}
		r.events.Renamed(id, name)
	default: // left or removed
		id, err := playerID(p.args)
		if err != nil {
			return err
		}
		r.events.Left(id)
	}
	return nil
}

// sendSettings sends the lobby's settings to a player who joined. Without them the player's client
// does not show the room.
func (r *Room) sendSettings(ctx context.Context, player int) error {
	return r.socket.emit(ctx, sendSettings, map[string]any{"sid": player, "gs": lobbySettings})
}

// setCreated stores that the room exists, and its address on the server.
func (r *Room) setCreated(args []json.RawMessage) {
	if isClosed(r.created) {
		return
	}
	if len(args) > 0 {
		r.address, _ = text(args[0])
	}
	close(r.created)
}

// bypassCode is the code in a room's link that replaces the password.
var bypassCode = regexp.MustCompile(`^[A-Za-z0-9]{1,64}$`)

// setLink stores the room's link. A second link is ignored: the first may have been given to a player.
func (r *Room) setLink(args []json.RawMessage) error {
	if len(args) < 2 {
		return fmt.Errorf("%w: a link of %d parts", errNotUnderstood, len(args))
	}
	id, ok := readInt(args[0])
	if !ok {
		written, _ := text(args[0])
		id, ok = readInt(json.RawMessage(written))
	}
	bypass, err := text(args[1])
	if err != nil || !ok || id < 0 || !bypassCode.MatchString(bypass) {
		return fmt.Errorf("%w: a link without a number or a code", errNotUnderstood)
	}
	if !isClosed(r.linked) {
		r.bypass = bypass
		r.link = fmt.Sprintf("%s%06d%s", r.client.cfg.LinkURL, id, bypass)
		close(r.linked)
	}
	return nil
}

// handleStatus handles a reason that the server sends. Before the room exists it refuses the
// creation; later it can only refuse a line of chat.
func (r *Room) handleStatus(reason string) {
	switch {
	case !isClosed(r.created):
		offer(r.socket.refused, reason)
	case isLimit(reason):
		offer(r.chat.limits, struct{}{})
	}
}
