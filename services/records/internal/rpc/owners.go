// Package rpc asks the other services, over NATS, for maps and players whose
// copies have not arrived.
package rpc

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/record"
)

// Maps asks the maps service. It implements record.MapOwner.
type Maps struct {
	NATS *nats.Conn
}

// Map implements record.MapOwner.
func (m *Maps) Map(ctx context.Context, id string) (record.Map, error) {
	return m.get(ctx, event.GetMap{ID: id})
}

// MapByGameID implements record.MapOwner.
func (m *Maps) MapByGameID(ctx context.Context, id int64) (record.Map, error) {
	return m.get(ctx, event.GetMap{BonkDBID: id})
}

func (m *Maps) get(ctx context.Context, req event.GetMap) (record.Map, error) {
	state, err := eventbus.Call[event.GetMap, event.MapState](ctx, m.NATS, event.GetMapSubject, req)
	return record.MapOf(state), err
}

// Players asks the players service. It implements record.PlayerOwner.
type Players struct {
	NATS *nats.Conn
}

// Player implements record.PlayerOwner.
func (p *Players) Player(ctx context.Context, id string) (record.Player, error) {
	state, err := eventbus.Call[event.GetPlayer, event.PlayerState](ctx, p.NATS, event.GetPlayerSubject, event.GetPlayer{ID: id})
	return record.PlayerOf(state), err
}
