package natsapi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/login"
)

// Bots implements login.Bots.
type Bots struct {
	NATS *nats.Conn
}

// Open implements login.Bots.
func (b *Bots) Open(ctx context.Context, request event.OpenRoom) (event.RoomOpened, error) {
	opened, err := eventbus.Call[event.RoomOpened](ctx, b.NATS, event.RoomOpenSubject, request)
	if errors.Is(err, nats.ErrNoResponders) { // no bot has a room at once
		opened, err = eventbus.Call[event.RoomOpened](ctx, b.NATS, event.RoomWaitSubject, request)
	}
	if errors.Is(err, nats.ErrNoResponders) {
		return event.RoomOpened{}, login.ErrNoBot.Wrap(err)
	}
	if err == nil && (!isToken(opened.Bot) || !isToken(opened.Room) || opened.Position < 0) {
		err = fmt.Errorf("bot %q answered with room %q at position %d", opened.Bot, opened.Room, opened.Position)
	}
	return opened, err
}

// Say implements login.Bots.
func (b *Bots) Say(ctx context.Context, room login.Room, text string) error {
	_, err := eventbus.Call[struct{}](ctx, b.NATS, event.RoomSaySubject(room.Bot),
		event.SayInRoom{Room: room.ID, Text: text})
	var p *problem.Problem
	switch {
	case errors.As(err, &p) && p.Kind == problem.KindNotFound:
		return login.ErrRoomGone.Wrap(err)
	case errors.Is(err, login.ErrNotDelivered): // by its code
		return login.ErrNotDelivered.Wrap(err)
	}
	return err
}

// State implements login.Bots.
func (b *Bots) State(ctx context.Context, room login.Room) (event.RoomView, error) {
	view, err := eventbus.Call[event.RoomView](ctx, b.NATS, event.RoomStateSubject(room.Bot),
		event.RoomQuery{Room: room.ID})
	if err == nil && view.Room != room.ID {
		return event.RoomView{}, fmt.Errorf("asked for room %s, the bot answered for %s", room.ID, view.Room)
	}
	return view, err
}

// Close implements login.Bots.
func (b *Bots) Close(ctx context.Context, room login.Room, text string) error {
	_, err := eventbus.Call[struct{}](ctx, b.NATS, event.RoomCloseSubject(room.Bot),
		event.CloseRoom{Room: room.ID, Text: text})
	return err
}

// isToken reports whether a name can be one token of a NATS subject.
func isToken(name string) bool {
	return name != "" && len(name) <= 128 && !strings.ContainsAny(name, ".*> \t\r\n")
}
