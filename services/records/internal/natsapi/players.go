package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/record"
)

// Players asks the players service. It implements record.PlayerOwner.
type Players struct {
	NATS *nats.Conn
}

// Player implements record.PlayerOwner.
func (p *Players) Player(ctx context.Context, id string) (record.Player, error) {
	req := event.GetPlayer{ID: id}
	state, err := eventbus.Call[event.GetPlayer, event.PlayerState](ctx, p.NATS, event.GetPlayerSubject, req)
	if err != nil {
		return record.Player{}, err
	}
	return playerOf(state), nil
}

// playerOf translates a player's state. Of a tombstone it takes only the version and the merge.
func playerOf(s event.PlayerState) record.Player {
	if s.Removed {
		return record.Player{ID: s.ID, Version: s.Version, Removed: true, MergedInto: s.MergedInto}
	}
	return record.Player{
		ID: s.ID, Version: s.Version, Name: s.Name, FormerNames: s.FormerNames,
		SkinImageURL: s.SkinImageURL, SkinColor: s.SkinColor, Registered: s.Registered, Banned: s.Banned,
	}
}
