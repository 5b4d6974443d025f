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
	// now is the time at which claims have ended.
	now time.Time
}

// wanted collects the ids of players and maps.
type wanted struct{ players, maps []string }

func (w *wanted) subject(s moderation.Subject) {
	w.player(s.PlayerID)
	if s.MapID != "" {
		w.maps = append(w.maps, s.MapID)
	}
}

func (w *wanted) player(ids ...string) {
	for _, id := range ids {
		if event.IsID(id) {
			w.players = append(w.players, id)
		}
	}
}

func (w *wanted) cases(cases ...moderation.Case) {
	for _, c := range cases {
		w.subject(c.Subject)
		if c.Claim != nil {
			w.player(c.Claim.PlayerID)
		}
	}
}

func (w *wanted) decisions(decisions ...moderation.Decision) {
	for _, d := range decisions {
		w.subject(d.Subject)
		w.player(d.ByID, d.IntoID)
	}
}

// find returns the names of all that is wanted.
func (s *Server) find(ctx context.Context, w wanted) (n names, err error) {
	if n.players, err = s.Directory.Players(ctx, w.players); err != nil {
		return names{}, err
	}
	n.now = s.Now()
	n.maps, err = s.Directory.Maps(ctx, w.maps)
	return n, err
}

func (n names) player(id string) PlayerRef {
	p := n.players[id]
	return PlayerRef{
		UnderscoreId: id, Name: p.Name, SkinImageUrl: httpserve.OrNull(p.SkinImageURL),
		SkinColor: httpserve.OrNull(p.SkinColor),
	}
}

func (n names) playerOrNull(id string) *PlayerRef {
	if id == "" {
		return nil
	}
	return new(n.player(id))
}

func (n names) subject(s moderation.Subject) CaseSubject {
	wire := CaseSubject{
		Kind: SubjectKind(s.Kind), Id: s.ID, Player: n.playerOrNull(s.PlayerID), FinishTime: httpserve.OrNull(s.FinishTime),
	}
	if s.MapID != "" {
		wire.Map = &MapRef{UnderscoreId: s.MapID, Name: n.maps[s.MapID].Name}
	}
	return wire
}

func (n names) claim(c *moderation.Claim, callerID string) *Claim {
	if c == nil {
		return nil
	}
	return &Claim{Player: n.player(c.PlayerID), Until: httpserve.TimeText(c.Until), Mine: c.PlayerID == callerID}
}

func (n names) cases(cases []moderation.Case, callerID string) []CaseSummary {
	wire := make([]CaseSummary, len(cases))
	for i, c := range cases {
		wire[i] = CaseSummary{
			UnderscoreId: c.ID, Subject: n.subject(c.Subject), State: CaseSummaryState(c.State), Priority: c.Priority,
			Reports: c.Reports, Flags: c.Flags, OpenedAt: httpserve.TimeText(c.OpenedAt),
			ClosedAt: httpserve.TimeOrNull(c.ClosedAt),
			Claim:    n.claim(c.ClaimAt(n.now), callerID),
		}
	}
	return wire
}

func (s *Server) decision(n names, d moderation.Decision) Decision {
	wire := Decision{
		UnderscoreId: d.ID, Kind: DecisionKind(d.Kind), Subject: n.subject(d.Subject), By: n.playerOrNull(d.ByID),
		PublicReason: PublicReason(d.PublicReason), Text: d.Text, State: DecisionState(d.State), KeepRecords: d.KeepRecords,
		Into: n.playerOrNull(d.IntoID), CaseId: httpserve.OrNull(d.CaseID), Undoes: httpserve.OrNull(d.Undoes),
		UndoneBy: httpserve.OrNull(d.UndoneBy), Undoable: d.IsUndoable(s.Now(), false), At: httpserve.TimeText(d.At),
	}
	if d.Kind == moderation.Ban {
		wire.Until = httpserve.TimeOrNull(d.Until)
	}
	if d.State == moderation.Refused {
		wire.Refusal = &DecisionRefusal{Code: d.RefusalCode, Message: d.RefusalMessage}
	}
	return wire
}

func (s *Server) decisions(n names, decisions []moderation.Decision) []Decision {
	wire := make([]Decision, len(decisions))
	for i, d := range decisions {
		wire[i] = s.decision(n, d)
	}
	return wire
}
