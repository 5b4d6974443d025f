package player

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// ModerationStore reads and changes players. A change is stored with the player's next version and state event, its
// facts and its entries of the audit log. A change that changes nothing stores nothing.
type ModerationStore interface {
	reader
	// Moderate locks a player, for a merge both, and stores what Locked.Moderate returns. It returns the player, of a
	// merge the one who is kept, ErrUnknown, ErrMerged, or an error of Locked.Moderate.
	Moderate(ctx context.Context, change Moderation) (Player, error)
	// BansOver returns the ids of at most limit players whose bans were to end by now, those of the earliest first.
	BansOver(ctx context.Context, now time.Time, limit int) ([]string, error)
}

// Moderator grants and revokes roles, bans and merges players, and releases names. Each change leaves an entry in the
// audit log.
type Moderator struct {
	Players ModerationStore
	Now     func() time.Time
}

// Moderate makes a change and returns the player, of a merge the one who is kept. It returns the errors of Authorize
// and of ModerationStore.Moderate.
func (m *Moderator) Moderate(ctx context.Context, change Moderation) (Player, error) {
	change, err := m.Authorize(ctx, change)
	if err != nil {
		return Player{}, err
	}
	return m.Players.Moderate(ctx, change)
}

// Moderation is what a moderator changes of the player with PlayerID.
//
// An action is one of rules. A ban is one from everything but logging in and reading. A merge is for a person who has
// another name in the game now, and cannot be undone; records and maps follow by events. The release of a former name
// is for a person who has it in the game now.
type Moderation struct {
	Action   access.Action
	PlayerID string
	// Role is granted or revoked, IntoID is whom a merge keeps, and Name the former name that is released.
	Role, IntoID, Name string
	// Until is the end of a ban, and zero for one without an end.
	Until time.Time
	By    access.Attribution
	// At is when the change is authorized.
	At time.Time
}

// Authorize returns a valid change with whom it is made by, and the time. It returns the errors of access.Authorize,
// ErrUnknown for what is no id, ErrRoleInvalid, ErrBanOver or ErrMergeSelf.
func (m *Moderator) Authorize(ctx context.Context, c Moderation) (_ Moderation, err error) {
	if _, c.By, err = access.Authorize(ctx, c.By, c.Action, accountsOf(m.Players)); err != nil {
		return c, err
	}
	c.Until, c.At = event.InMillis(c.Until), event.InMillis(m.Now())
	switch {
	case c.Action != access.EndBan && !event.IsID(c.PlayerID), c.Action == access.MergePlayer && !event.IsID(c.IntoID):
		err = ErrUnknown
	case c.Action == access.GrantRole || c.Action == access.RevokeRole:
		c.Role, err = ParseRole(c.Role)
	case c.Action == access.BanPlayer && (Ban{Until: c.Until}).isOver(c.At):
		err = ErrBanOver
	case c.Action == access.MergePlayer && strings.EqualFold(c.PlayerID, c.IntoID):
		err = ErrMergeSelf
	}
	return c, err
}

// rules has the rule of each action of a Moderation.
var rules = map[access.Action]func(l Locked, c Moderation) (Change, error){
	access.GrantRole: Locked.grant, access.RevokeRole: Locked.revoke, access.BanPlayer: Locked.ban,
	access.UnbanPlayer: Locked.unban, access.EndBan: Locked.endBan, access.MergePlayer: Locked.merge,
	access.ReleaseName: Locked.release,
}

// Moderate returns the change of the player, of a merge that of both. It returns the error of the rule of its action.
func (l Locked) Moderate(c Moderation) (Change, error) { return rules[c.Action](l, c) }

// grant returns ErrDeleted, ErrHasRole or ErrTooManyRoles.
func (l Locked) grant(c Moderation) (Change, error) {
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
	return l.changed(p, c), nil
}

// revoke returns ErrLacksRole. It takes the role from the last admin, too, because operators can grant it again.
func (l Locked) revoke(c Moderation) (Change, error) {
	p := l.Player
	if !p.HasRole(c.Role) {
		return Change{}, ErrLacksRole
	}
	p.Roles = slices.DeleteFunc(slices.Clone(p.Roles), func(r string) bool { return r == c.Role })
	return l.changed(p, c), nil
}

// ban returns access.ErrNeedsAdmin, ErrDeleted, because a deleted player has no name that a ban could bind,
// ErrAlreadyBanned or ErrLastAdmin. Only an operator, who can grant the role again, bans the only admin who is not
// banned.
func (l Locked) ban(c Moderation) (Change, error) {
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
	return l.changed(p, c, event.PlayerBanned{
		PlayerID: p.ID, Reason: p.Ban.Reason, Until: p.Ban.Until, DecisionID: p.Ban.DecisionID,
	}), nil
}

// unban returns access.ErrNeedsAdmin or ErrNotBanned.
func (l Locked) unban(c Moderation) (Change, error) {
	p := l.Player
	if err := c.By.Actor.RequireAgainst(p.Roles); err != nil {
		return Change{}, err
	}
	if !p.Banned {
		return Change{}, ErrNotBanned
	}
	p.Banned, p.Ban = false, Ban{}
	return l.changed(p, c, event.PlayerUnbanned{
		PlayerID: p.ID, Reason: string(c.By.Reason), DecisionID: c.By.DecisionID,
	}), nil
}

// endBan is unban by the decision that banned the player. It returns ErrNotBanned unless the time of the ban is over.
func (l Locked) endBan(c Moderation) (Change, error) {
	if !l.Player.Ban.isOver(c.At) {
		return Change{}, ErrNotBanned
	}
	c.By.DecisionID = l.Player.Ban.DecisionID
	return l.unban(c)
}

// changed returns the change that makes the player p, with its facts and its entry of the audit log.
func (l Locked) changed(p Player, c Moderation, facts ...event.Fact) Change {
	return Change{Player: p, Facts: facts, Entries: []access.Entry{entry(c.By, c.Action, l.Player, p)}}
}

// endedBans is how many bans EndBans reads at once.
const endedBans = 100

// EndBans ends the bans whose time is over, as the service itself, and returns how many. Where several do so at once,
// one of them ends a ban.
func (m *Moderator) EndBans(ctx context.Context) (ended int, err error) {
	by := access.Attribution{Actor: access.System(Service), Reason: "The time of the ban is over."}
	for {
		change, err := m.Authorize(ctx, Moderation{Action: access.EndBan, By: by})
		if err != nil {
			return ended, err
		}
		ids, err := m.Players.BansOver(ctx, change.At, endedBans)
		if err != nil {
			return ended, err
		}
		for _, id := range ids {
			change.PlayerID = id
			switch _, err := m.Players.Moderate(ctx, change); {
			case err == nil:
				ended++
			case errors.Is(err, ErrNotBanned), errors.Is(err, ErrMerged): // meanwhile, and a merged player has no ban
			default:
				return ended, err
			}
		}
		if len(ids) < endedBans {
			return ended, nil
		}
	}
}

// reader is a part of every store.
type reader interface {
	// Get returns a player, also one who was merged, or ErrUnknown.
	Get(ctx context.Context, id string) (Player, error)
}

// accountsOf returns what finds the account of an actor, which is that of the player whom the actor was merged into.
func accountsOf(players reader) func(ctx context.Context, id string) (Player, error) {
	return func(ctx context.Context, id string) (Player, error) { return resolveMerged(ctx, players, id) }
}

// resolveMerged returns the player with the id or, for a player who was merged, the one into
// whom they were merged. Players are never merged into a merged player, so this ends.
func resolveMerged(ctx context.Context, players reader, id string) (Player, error) {
	for event.IsID(id) {
		p, err := players.Get(ctx, id)
		if err != nil || p.MergedInto == "" {
			return p, err
		}
		id = p.MergedInto
	}
	return Player{}, ErrUnknown
}
