package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// Players asks the players service. It implements parkourmap.PlayerOwner.
type Players struct {
	NATS *nats.Conn
}

// Player implements parkourmap.PlayerOwner.
func (p *Players) Player(ctx context.Context, id string) (event.PlayerState, error) {
	return eventbus.AskPlayers(p.NATS)(ctx, id)
}

// Ensure implements parkourmap.PlayerOwner.
func (p *Players) Ensure(ctx context.Context, name string) (event.PlayerState, error) {
	return eventbus.Call[event.PlayerState](ctx, p.NATS, event.EnsurePlayerSubject, event.EnsurePlayer{Name: name})
}

// Records asks the records service. It implements parkourmap.Records, parkourmap.PlayedMaps and
// parkourmap.MedalCounter.
type Records struct {
	NATS *nats.Conn
}

// FindFinish implements parkourmap.Records.
func (r *Records) FindFinish(ctx context.Context, finish event.FindFinish) (recordID string, err error) {
	found, err := eventbus.Call[event.FoundFinish](ctx, r.NATS, event.FindFinishSubject, finish)
	return found.RecordID, err
}

// FindPlayed implements parkourmap.PlayedMaps.
func (r *Records) FindPlayed(ctx context.Context, q event.FindPlayed) ([][16]byte, error) {
	found, err := eventbus.Call[event.PlayedMaps](ctx, r.NATS, event.FindPlayedSubject, q)
	if err != nil {
		return nil, err
	}
	return found.MapIDs.UUIDs()
}

// CountMedals implements parkourmap.MedalCounter.
func (r *Records) CountMedals(ctx context.Context, req event.CountMedals) (event.MedalCounts, error) {
	return eventbus.Call[event.MedalCounts](ctx, r.NATS, event.CountMedalsSubject, req)
}
