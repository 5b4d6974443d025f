package natsapi

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
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

// MapVersion implements record.MapOwner.
func (m *Maps) MapVersion(ctx context.Context, gameMapID int64, fingerprint string) (record.Map, error) {
	return m.get(ctx, event.GetMap{GameMapID: gameMapID, Fingerprint: fingerprint})
}

func (m *Maps) get(ctx context.Context, req event.GetMap) (record.Map, error) {
	state, err := eventbus.Call[event.MapState](ctx, m.NATS, event.GetMapSubject, req)
	return mapOf(state), err
}

// mapOf translates a map's state. It takes only the version from a tombstone.
func mapOf(s event.MapState) record.Map {
	if s.Removed {
		return record.Map{ID: s.ID, Version: s.Version, Removed: true}
	}
	m := record.Map{
		ID: s.ID, Version: s.Version, Name: s.Name, Mode: s.GameMode, GameMapID: s.GameMapID, Fingerprint: s.Fingerprint,
		AuthorID: s.AuthorID, MapVersion: s.MapVersion, Superseded: s.Superseded, Unranked: s.Unranked,
		UnrankedReason: access.PublicReason(s.UnrankedReason),
		Picture:        record.StoredFile{Bucket: s.PictureBucket, Key: s.PictureKey},
	}
	if s.Medals != nil {
		m.Medals = racetime.Medals(*s.Medals)
	}
	return m
}

// Follows asks the notifications service. It implements leaderboard.Follows.
type Follows struct {
	NATS *nats.Conn
}

// ListFollowed implements leaderboard.Follows.
func (f *Follows) ListFollowed(ctx context.Context, playerID string) ([]string, error) {
	answer, err := eventbus.Call[event.FollowedPlayers](ctx, f.NATS, event.ListFollowedSubject,
		event.ListFollowed{PlayerID: playerID})
	if err != nil {
		return nil, err
	}
	for _, id := range answer.PlayerIDs {
		if !event.IsID(id) {
			return nil, fmt.Errorf("player %s follows %q, which is no id", playerID, id)
		}
	}
	return answer.PlayerIDs, nil
}
