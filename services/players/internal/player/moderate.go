package player

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/storedfile"
)

// ModerationStore reads and changes players. A change is stored with the player's next version and state event, its
// facts and its rows of the audit log. A change that changes nothing stores nothing.
type ModerationStore interface {
	// Get returns a player, also one who was merged, or ErrUnknown, also for an invalid id.
	Get(ctx context.Context, id string) (Player, error)
	// Change locks a player and stores what the rule returns. It returns ErrUnknown, ErrMerged, or the error of the rule.
	Change(ctx context.Context, id string, rule Rule) (Player, error)
	// ChangePair is Change for two different players.
	ChangePair(ctx context.Context, id, otherID string, rule Rule) (changed, other Player, err error)
	// GetByName is as in PlayersByName.
	GetByName(ctx context.Context, name string) (Player, error)
	// BansOver returns the ids of at most limit players whose bans were to end by now, those of the earliest first.
	BansOver(ctx context.Context, now time.Time, limit int) ([]string, error)
}

// Moderator grants and revokes roles, bans and merges players. Each change leaves a row in the audit log. All methods
// return access.ErrForbidden for an actor who may not do it, ErrUnknown and ErrMerged.
type Moderator struct {
	Players ModerationStore
	Now     func() time.Time
}

// Grant gives a player a role. It returns ErrRoleInvalid, ErrTooManyRoles, ErrHasRole or ErrDeleted.
func (m *Moderator) Grant(ctx context.Context, id, role string, by access.Attribution) (Player, error) {
	_, by, err := access.Authorize(ctx, by, access.GrantRole, accountsOf(m.Players))
	if err != nil {
		return Player{}, err
	}
	role, err = ParseRole(role)
	if err != nil {
		return Player{}, err
	}
	return m.Players.Change(ctx, id, func(l Locked) (Change, error) {
		p := l.Player
		if p.IsDeleted() {
			return Change{}, ErrDeleted
		}
		if p.HasRole(role) {
			return Change{}, ErrHasRole
		}
		if len(p.Roles) == maxRoles {
			return Change{}, ErrTooManyRoles
		}
		p.Roles = slices.Concat(p.Roles, []string{role})
		return Change{Player: p, Actions: []access.Action{access.GrantRole}, By: by}, nil
	})
}

// Revoke takes a role from a player, also from the last admin, because operators can grant it
// again. It returns ErrRoleInvalid or ErrLacksRole.
func (m *Moderator) Revoke(ctx context.Context, id, role string, by access.Attribution) (Player, error) {
	_, by, err := access.Authorize(ctx, by, access.RevokeRole, accountsOf(m.Players))
	if err != nil {
		return Player{}, err
	}
	role, err = ParseRole(role)
	if err != nil {
		return Player{}, err
	}
	return m.Players.Change(ctx, id, func(l Locked) (Change, error) {
		p := l.Player
		if !p.HasRole(role) {
			return Change{}, ErrLacksRole
		}
		p.Roles = slices.DeleteFunc(slices.Clone(p.Roles), func(r string) bool { return r == role })
		return Change{Player: p, Actions: []access.Action{access.RevokeRole}, By: by}, nil
	})
}

// Ban bans a player from everything but logging in and reading, until a time, or without an end where it is zero. Only
// an operator, who can grant the role again, bans the only admin who is not banned. A deleted player has no name that a
// ban could bind. It returns access.ErrReasonMissing, access.ErrReasonInvalid, access.ErrNeedsAdmin, ErrBanOver,
// ErrDeleted, ErrAlreadyBanned or ErrLastAdmin.
func (m *Moderator) Ban(ctx context.Context, id string, until time.Time, by access.Attribution) (Player, error) {
	_, by, err := access.Authorize(ctx, by, access.BanPlayer, accountsOf(m.Players))
	if err != nil {
		return Player{}, err
	}
	ban := Ban{
		Reason: string(by.Reason), PublicReason: by.PublicReason, Until: until.UTC().Truncate(time.Millisecond),
		DecisionID: by.DecisionID,
	}
	if ban.isOver(m.Now()) {
		return Player{}, ErrBanOver
	}
	return m.Players.Change(ctx, id, func(l Locked) (Change, error) {
		p := l.Player
		switch err := by.Actor.RequireAgainst(p.Roles); {
		case err != nil:
			return Change{}, err
		case p.IsDeleted():
			return Change{}, ErrDeleted
		case p.Banned:
			return Change{}, ErrAlreadyBanned
		case l.OnlyAdmin && by.Actor.Kind != access.KindOperator:
			return Change{}, ErrLastAdmin
		}
		p.Banned, p.Ban = true, ban
		return Change{
			Player: p, Facts: []event.Fact{ban.fact(p.ID)}, Actions: []access.Action{access.BanPlayer}, By: by,
		}, nil
	})
}

// fact reports the ban of a player.
func (b Ban) fact(playerID string) event.PlayerBanned {
	return event.PlayerBanned{PlayerID: playerID, Reason: b.Reason, Until: b.Until, DecisionID: b.DecisionID}
}

// Unban lifts a ban. It returns access.ErrReasonMissing, access.ErrReasonInvalid, access.ErrNeedsAdmin or ErrNotBanned.
func (m *Moderator) Unban(ctx context.Context, id string, by access.Attribution) (Player, error) {
	_, by, err := access.Authorize(ctx, by, access.UnbanPlayer, accountsOf(m.Players))
	if err != nil {
		return Player{}, err
	}
	return m.Players.Change(ctx, id, func(l Locked) (Change, error) {
		p := l.Player
		if err := by.Actor.RequireAgainst(p.Roles); err != nil {
			return Change{}, err
		}
		if !p.Banned {
			return Change{}, ErrNotBanned
		}
		p.Banned, p.Ban = false, Ban{}
		fact := event.PlayerUnbanned{PlayerID: p.ID, Reason: string(by.Reason), DecisionID: by.DecisionID}
		return Change{Player: p, Facts: []event.Fact{fact}, Actions: []access.Action{access.UnbanPlayer}, By: by}, nil
	})
}

// endedBans is how many bans EndBans reads at once.
const endedBans = 100

// EndBans ends the bans whose time is over, as the service itself, and returns how many. Of several that do it at once,
// one ends a ban.
func (m *Moderator) EndBans(ctx context.Context, service string) (ended int, err error) {
	by := access.Attribution{Actor: access.System(service), Reason: "The time of the ban is over."}
	if err := by.Actor.Require(access.EndBan); err != nil {
		return 0, err
	}
	for {
		ids, err := m.Players.BansOver(ctx, m.Now(), endedBans)
		if err != nil {
			return ended, err
		}
		for _, id := range ids {
			switch wasBanned, err := m.endBan(ctx, id, by); {
			case err != nil:
				return ended, err
			case wasBanned:
				ended++
			}
		}
		if len(ids) < endedBans {
			return ended, nil
		}
	}
}

// endBan ends the ban of a player if its time is over still: another replica may have ended it, or a moderator.
func (m *Moderator) endBan(ctx context.Context, id string, by access.Attribution) (ended bool, err error) {
	_, err = m.Players.Change(ctx, id, func(l Locked) (Change, error) {
		p := l.Player
		ended = p.Banned && p.Ban.isOver(m.Now())
		if !ended {
			return Change{Player: p}, nil
		}
		by.DecisionID = p.Ban.DecisionID
		p.Banned, p.Ban = false, Ban{}
		fact := event.PlayerUnbanned{PlayerID: p.ID, Reason: string(by.Reason), DecisionID: by.DecisionID}
		return Change{Player: p, Facts: []event.Fact{fact}, Actions: []access.Action{access.EndBan}, By: by}, nil
	})
	if errors.Is(err, ErrMerged) { // meanwhile, and a merged player has no ban
		return false, nil
	}
	return ended && err == nil, err
}

// reader reads players, also those who were merged.
type reader interface {
	Get(ctx context.Context, id string) (Player, error)
}

// accountsOf returns what finds the account of an actor, which is that of the player whom the actor was merged into. It
// returns access.ErrForbidden for an unknown player.
func accountsOf(players reader) func(ctx context.Context, id string) (Player, error) {
	return func(ctx context.Context, id string) (Player, error) {
		p, err := resolveMerged(ctx, players, id)
		if errors.Is(err, ErrUnknown) {
			return Player{}, access.ErrForbidden.Wrap(err)
		}
		return p, err
	}
}

// resolveMerged returns the player with the id or, for a player who was merged, the one into
// whom they were merged. Players are never merged into a merged player, so this ends.
func resolveMerged(ctx context.Context, players reader, id string) (Player, error) {
	for {
		p, err := players.Get(ctx, id)
		if err != nil || p.MergedInto == "" {
			return p, err
		}
		id = p.MergedInto
	}
}

// Locked is what a rule decides about. The rows of its players are locked.
type Locked struct {
	Player Player
	// Other is the second player of a change of two, else nil.
	Other *Player
	// OnlyAdmin is true where one of the players is an admin, and all other admins are banned or there is none. Of several
	// admins who are changed at the same moment, one is counted at a time.
	OnlyAdmin bool
}

// Rule returns what becomes of the players, or the reason why nothing does. It changes no slice of theirs in place.
type Rule func(l Locked) (Change, error)

// Change is a player after a change, with all that is stored in the same transaction.
type Change struct {
	Player Player
	Facts  []event.Fact
	// Avatar is the upload of a new avatar.
	Avatar storedfile.Upload
	// Actions leave a row in the audit log each, by the attribution.
	Actions []access.Action
	By      access.Attribution
	// Other is the change of the second player, nil where there is none.
	Other *Change
}

// AuditValues returns the values of a player that an action changes, for the audit log.
func AuditValues(action access.Action, p Player) map[string]any {
	roles, formerNames := append([]string{}, p.Roles...), append([]string{}, p.FormerNames...)
	switch action {
	case access.GrantRole, access.RevokeRole, access.ChangeRoles:
		return map[string]any{"roles": roles}
	case access.ChangeAvatar:
		return map[string]any{"avatar": p.Avatar}
	case access.BanPlayer, access.UnbanPlayer, access.EndBan:
		return map[string]any{"banned": p.Banned, "banReason": p.Ban.Reason, "bannedUntil": auditTime(p.Ban.Until)}
	case access.DeletePlayer: // the row is to keep no name
		return map[string]any{"deleted": p.IsDeleted()}
	case access.ReleaseName:
		return map[string]any{"formerNames": formerNames}
	default: // of a merge all that is needed to undo it by hand
		return map[string]any{
			"name": p.Name, "formerNames": formerNames, "mergedInto": p.MergedInto, "registered": p.Registered,
			"level": p.Level, "roles": roles, "banned": p.Banned, "banReason": p.Ban.Reason,
			"bannedUntil": auditTime(p.Ban.Until), "avatar": p.Avatar,
		}
	}
}

// auditTime returns a time, or nil for none.
func auditTime(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}
