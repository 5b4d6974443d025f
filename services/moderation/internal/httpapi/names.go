package httpapi

import (
	"context"
	"time"

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
	// now is the time at which claims have ended, and decisions can be undone.
	now time.Time
}

// withNames returns what translate returns. It calls translate twice, at first to learn of which players and maps the
// names are needed.
func withNames[T any](ctx context.Context, s *Server, translate func(n *names) T) (wire T, err error) {
	n := &names{now: s.Now()}
	translate(n)
	if n.players, err = s.Directory.Players(ctx, n.playerIDs); err != nil {
		return wire, err
	}
	if n.maps, err = s.Directory.Maps(ctx, n.mapIDs); err != nil {
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

func (n *names) claim(c *moderation.Claim, callerID string) *Claim {
	if c == nil {
		return nil
	}
	return &Claim{Player: n.player(c.PlayerID), Until: httpserve.TimeText(c.Until), Mine: c.PlayerID == callerID}
}

func (n *names) cases(cases []moderation.Case, callerID string) []CaseSummary {
	return httpserve.List(cases, func(c moderation.Case) CaseSummary {
		return CaseSummary{
			UnderscoreId: c.ID, Subject: n.subject(c.Subject), State: CaseSummaryState(c.State), Priority: c.Priority,
			Reports: c.Reports, Flags: c.Flags, OpenedAt: httpserve.TimeText(c.OpenedAt),
			ClosedAt: httpserve.TimeOrNull(c.ClosedAt),
			Claim:    n.claim(c.ClaimAt(n.now), callerID),
		}
	})
}

func (n *names) decision(d moderation.Decision) Decision {
	wire := Decision{
		UnderscoreId: d.ID, Kind: DecisionKind(d.Kind), Subject: n.subject(d.Subject), By: n.playerOrNull(d.ByID),
		PublicReason: PublicReason(d.PublicReason), Text: d.Text, State: DecisionState(d.State), KeepRecords: d.KeepRecords,
		Into: n.playerOrNull(d.IntoID), CaseId: httpserve.OrNull(d.CaseID), Undoes: httpserve.OrNull(d.Undoes),
		UndoneBy: httpserve.OrNull(d.UndoneBy), Undoable: d.IsUndoable(n.now, false), At: httpserve.TimeText(d.At),
	}
	if d.Kind == moderation.Ban {
		wire.Until = httpserve.TimeOrNull(d.Until)
	}
	if d.State == moderation.Refused {
		wire.Refusal = &DecisionRefusal{Code: d.RefusalCode, Message: d.RefusalMessage}
	}
	return wire
}
