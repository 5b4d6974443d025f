package httpapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

// names translates what the domain has by id, with what the copies know of players and maps.
type names struct {
	players map[string]moderation.Player
	maps    map[string]moderation.Map
	// playerIDs and mapIDs are the ids that were translated.
	playerIDs, mapIDs []string
}

// withNames returns what translate returns. It calls translate twice, at first to learn of which players and maps the
// names are needed.
func withNames[T any](ctx context.Context, s *Server, translate func(n *names) T) (wire T, err error) {
	n := &names{}
	translate(n)
	if n.players, n.maps, err = s.Things.Names(ctx, n.playerIDs, n.mapIDs); err != nil {
		return wire, err
	}
	return translate(n), nil
}

// findPlayer and findMap return copies, or zero values where there is none.
func (n *names) findPlayer(id string) moderation.Player {
	if event.IsID(id) {
		n.playerIDs = append(n.playerIDs, id)
	}
	return n.players[id]
}

func (n *names) findMap(id string) moderation.Map {
	if event.IsID(id) {
		n.mapIDs = append(n.mapIDs, id)
	}
	return n.maps[id]
}

func (n *names) player(id string) PlayerRef {
	p := n.findPlayer(id)
	return PlayerRef{
		UnderscoreId: id, Name: p.Name, SkinImageUrl: httpserve.OrNull(p.SkinImageURL),
		SkinColor: httpserve.OrNull(p.SkinColor),
	}
}

func (n *names) playerOrNull(id string) *PlayerRef {
	if id == "" {
		return nil
	}
	return new(n.player(id))
}

func (n *names) subject(s moderation.Subject) CaseSubject {
	wire := CaseSubject{
		Kind: SubjectKind(s.Kind), Id: s.ID, Player: n.playerOrNull(s.PlayerID), FinishTime: httpserve.OrNull(s.FinishTime),
	}
	if s.MapID != "" {
		wire.Map = &MapRef{UnderscoreId: s.MapID, Name: n.findMap(s.MapID).Name}
	}
	return wire
}
