package player

import (
	"context"
	"errors"
	"slices"
	"strings"
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
	// Change locks a player and stores what the rule returns at a time. It returns ErrUnknown, ErrMerged, or the error of
	// the rule.
	Change(ctx context.Context, id string, at time.Time, rule Rule) (Player, error)
	// ChangePair is Change for two different players.
	ChangePair(ctx context.Context, id, otherID string, at time.Time, rule Rule) (changed, other Player, err error)
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
func (m *Moderator) Grant(ctx context.Context, by access.Attribution, id, role string) (Player, error) {
	return m.moderate(ctx, Moderation{Action: access.GrantRole, PlayerID: id, Role: role, By: by})
}

// Revoke takes a role from a player, also from the last admin, because operators can grant it
// again. It returns ErrRoleInvalid or ErrLacksRole.
func (m *Moderator) Revoke(ctx context.Context, by access.Attribution, id, role string) (Player, error) {
	return m.moderate(ctx, Moderation{Action: access.RevokeRole, PlayerID: id, Role: role, By: by})
}

// Ban bans a player from everything but logging in and reading, until a time, or without an end where it is zero. Only
// an operator, who can grant the role again, bans the only admin who is not banned. A deleted player has no name that a
// ban could bind. It returns access.ErrReasonMissing, access.ErrReasonInvalid, access.ErrNeedsAdmin, ErrBanOver,
// ErrDeleted, ErrAlreadyBanned or ErrLastAdmin.
func (m *Moderator) Ban(ctx context.Context, by access.Attribution, id string, until time.Time) (Player, error) {
	return m.moderate(ctx, Moderation{Action: access.BanPlayer, PlayerID: id, Until: until, By: by})
}

// Unban lifts a ban. It returns access.ErrReasonMissing, access.ErrReasonInvalid, access.ErrNeedsAdmin or ErrNotBanned.
func (m *Moderator) Unban(ctx context.Context, by access.Attribution, id string) (Player, error) {
	return m.moderate(ctx, Moderation{Action: access.UnbanPlayer, PlayerID: id, By: by})
}

func (m *Moderator) moderate(ctx context.Context, change Moderation) (Player, error) {
	change, err := m.Authorize(ctx, change)
	if err != nil {
		return Player{}, err
	}
	return change.Store(ctx, m.Players)
}

// Moderation is what a moderator changes of a player. It names a role, the end of a ban, or whom a merge keeps.
type Moderation struct {
	Action                 access.Action
	PlayerID, Role, IntoID string
	Until                  time.Time
	By                     access.Attribution
	// At is when the change is authorized.
	At time.Time
}

// Authorize returns a valid change with whom it is made by.
func (m *Moderator) Authorize(ctx context.Context, c Moderation) (_ Moderation, err error) {
	if _, c.By, err = access.Authorize(ctx, c.By, c.Action, accountsOf(m.Players)); err != nil {
		return c, err
	}
	c.Until, c.At = inMillis(c.Until), inMillis(m.Now())
	switch {
	case c.Action == access.GrantRole || c.Action == access.RevokeRole:
		c.Role, err = ParseRole(c.Role)
	case c.Action == access.BanPlayer && (Ban{Until: c.Until}).isOver(c.At):
		err = ErrBanOver
	case c.Action == access.MergePlayer && strings.EqualFold(c.PlayerID, c.IntoID):
		err = ErrMergeSelf
	}
	return c, err
}

// Store stores an authorized change. It returns the player, of a merge the one who is kept.
func (c Moderation) Store(ctx context.Context, players ModerationStore) (Player, error) {
	if c.Action == access.MergePlayer {
		_, kept, err := players.ChangePair(ctx, c.PlayerID, c.IntoID, c.At, c.merge)
		return kept, err
	}
	rules := map[access.Action]Rule{
		access.GrantRole: c.grant, access.RevokeRole: c.revoke, access.BanPlayer: c.ban, access.UnbanPlayer: c.unban,
	}
	return players.Change(ctx, c.PlayerID, c.At, rules[c.Action])
}

func (c Moderation) grant(l Locked) (Change, error) {
	p := l.Player
	if p.IsDeleted() {
		return Change{}, ErrDeleted
	}
	if p.HasRole(c.Role) {
		return Change{}, ErrHasRole
	}
	if len(p.Roles) == maxRoles {
		return Change{}, ErrTooManyRoles
	}
	p.Roles = slices.Concat(p.Roles, []string{c.Role})
	return Change{Player: p, Actions: []access.Action{access.GrantRole}, By: c.By}, nil
}

func (c Moderation) revoke(l Locked) (Change, error) {
	p := l.Player
	if !p.HasRole(c.Role) {
		return Change{}, ErrLacksRole
	}
	p.Roles = slices.DeleteFunc(slices.Clone(p.Roles), func(r string) bool { return r == c.Role })
	return Change{Player: p, Actions: []access.Action{access.RevokeRole}, By: c.By}, nil
}

func (c Moderation) ban(l Locked) (Change, error) {
	p := l.Player
	switch err := c.By.Actor.RequireAgainst(p.Roles); {
	case err != nil:
		return Change{}, err
	case p.IsDeleted():
		return Change{}, ErrDeleted
	case p.Banned:
		return Change{}, ErrAlreadyBanned
	case l.OnlyAdmin && c.By.Actor.Kind != access.KindOperator:
		return Change{}, ErrLastAdmin
	}
	p.Banned, p.Ban = true, Ban{
		Reason: string(c.By.Reason), PublicReason: c.By.PublicReason, Until: c.Until, DecisionID: c.By.DecisionID,
	}
	return Change{
		Player: p, Facts: []event.Fact{p.Ban.fact(p.ID)}, Actions: []access.Action{access.BanPlayer}, By: c.By,
	}, nil
}

// fact reports the ban of a player.
func (b Ban) fact(playerID string) event.PlayerBanned {
	return event.PlayerBanned{PlayerID: playerID, Reason: b.Reason, Until: b.Until, DecisionID: b.DecisionID}
}

func (c Moderation) unban(l Locked) (Change, error) {
	p := l.Player
	if err := c.By.Actor.RequireAgainst(p.Roles); err != nil {
		return Change{}, err
	}
	if !p.Banned {
		return Change{}, ErrNotBanned
	}
	return endedBan(p, access.UnbanPlayer, c.By), nil
}

// endedBan returns the change that ends the ban of a player.
func endedBan(p Player, action access.Action, by access.Attribution) Change {
	p.Banned, p.Ban = false, Ban{}
	fact := event.PlayerUnbanned{PlayerID: p.ID, Reason: string(by.Reason), DecisionID: by.DecisionID}
	return Change{Player: p, Facts: []event.Fact{fact}, Actions: []access.Action{action}, By: by}
}

// endedBans is how many bans EndBans reads at once.
const endedBans = 100

// EndBans ends the bans whose time is over, as the service itself, and returns how many. Where several do so at once,
// one of them ends a ban.
func (m *Moderator) EndBans(ctx context.Context) (ended int, err error) {
	by := access.Attribution{Actor: access.System(Service), Reason: "The time of the ban is over."}
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
	_, err = m.Players.Change(ctx, id, inMillis(m.Now()), func(l Locked) (Change, error) {
		p := l.Player
		ended = p.Banned && p.Ban.isOver(m.Now())
		if !ended {
			return Change{Player: p}, nil
		}
		by.DecisionID = p.Ban.DecisionID
		return endedBan(p, access.EndBan, by), nil
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
	// IsNameBanned is true for a player who has never logged in, and whose name was that of a deleted player who is
	// banned, or until now a former name of a banned player. It is set by ChangeByName alone.
	IsNameBanned bool
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
