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
	errHostLeft = errors.New("the game has taken the room from its host")
	errRemoved  = errors.New("the game has removed the host from the room")
)

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
