package bonkio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// Reasons for which a room ends that has a link.
var (
	// ErrHostChanged says that the game made another player the host: the room is no longer this client's.
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
			r.chat.noteEcho(line)
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

// handlePlayer reports who enters, leaves or changes the name, once there is somebody to report to.
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

// sendSettings sends a newcomer the lobby's settings, as a host must: without
// them the newcomer's client never shows the room.
func (r *Room) sendSettings(ctx context.Context, player int) error {
	return r.socket.emit(ctx, sendSettings, map[string]any{"sid": player, "gs": lobbySettings})
}

// settings are the lobby's, in the game's own abbreviations.
type settings struct {
	Map          json.RawMessage `json:"map"`
	GameType     int             `json:"gt"`
	WinningScore int             `json:"wl"`
	Quick        bool            `json:"q"`
	TeamsLocked  bool            `json:"tl"`
	Teams        bool            `json:"tea"`
	Engine       string          `json:"ga"`
	Mode         string          `json:"mo"`
	Balance      []any           `json:"bal"`
}

var lobbySettings = settings{
	Map: emptyMap, GameType: 2, WinningScore: 3, TeamsLocked: true, Engine: "b", Mode: "b", Balance: []any{},
}

// emptyMap is a decoded map without anything on it. In event 11, and only there,
// the game sends a map as an object instead of a map string; a client that gets
// a string fails before it shows the lobby.
var emptyMap = json.RawMessage(`{
	"v": 1,
	"s": {"re": false, "nc": false, "pq": 1, "gd": 25, "fl": false},
	"physics": {"shapes": [], "fixtures": [], "bodies": [], "bro": [], "joints": [], "ppm": 12},
	"spawns": [], "capZones": [],
	"m": {"a": "", "n": "Login", "dbv": 2, "dbid": -1, "authid": -1, "date": "", "rxid": 0, "rxn": "", "rxa": "",
		"rxdb": 1, "cr": [], "pub": false, "mo": ""}
}`)

// setCreated notes that the room exists, and its address on the server.
func (r *Room) setCreated(args []json.RawMessage) {
	select {
	case <-r.created:
		return
	default:
	}
	if len(args) > 0 {
		r.address, _ = text(args[0])
	}
	close(r.created)
}

// bypassCode is the code in a room's link that stands for the password.
var bypassCode = regexp.MustCompile(`^[A-Za-z0-9]{1,64}$`)

// setLink notes the room's link. A second link is ignored: the first may have been given to a player.
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
	select {
	case <-r.linked:
	default:
		r.bypass = bypass
		r.link = fmt.Sprintf("%s%06d%s", r.client.cfg.LinkURL, id, bypass)
		close(r.linked)
	}
	return nil
}

// handleStatus handles a reason that the server gives. Before the room exists it
// refuses the creation; later it can only be about a line of chat.
func (r *Room) handleStatus(reason string) {
	select {
	case <-r.created:
		if isLimit(reason) {
			r.chat.noteLimit()
		}
	default:
		select {
		case r.refused <- reason:
		default:
		}
	}
}

// echoPing answers event 1 with the number of the ping.
func (s *socket) echoPing(ctx context.Context, args []json.RawMessage) error {
	if len(args) == 0 {
		return nil
	}
	id, ok := readInt(args[len(args)-1])
	if !ok {
		return nil
	}
	return s.emit(ctx, sendPing, map[string]int{"id": id})
}
