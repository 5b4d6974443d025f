package player

import (
	"reflect"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/storedfile"
)

// Locked is what the rules decide about. The rows of its players are locked. A rule returns what becomes of the
// players, or the reason why nothing does. It changes no slice of theirs in place.
type Locked struct {
	Player Player
	// Other is the second player of a change of two, else nil.
	Other *Player
	// OnlyAdmin is true where one of the players is an admin, and all other admins are banned or there is none. Of several
	// admins who are changed at the same moment, one is counted at a time.
	OnlyAdmin bool
}

// Change is a player after a change, with all that is stored in the same transaction.
type Change struct {
	Player  Player
	Facts   []event.Fact
	Entries []access.Entry
	// Avatar is the upload of a new avatar.
	Avatar storedfile.Upload
	// Other is the change of the second player, nil where there is none.
	Other *Change
}

// Next returns the next version of the player who was before the change, made at a time. It reports false for a change
// that changes nothing, except for a new placeholder.
func (c Change) Next(before Player, at time.Time) (_ Player, changes bool) {
	p := c.Player
	if p.Version > 0 && reflect.DeepEqual(p, before) {
		return before, false
	}
	shown := before // by the profile, which shows no ban
	shown.Banned, shown.Ban = p.Banned, p.Ban
	if !reflect.DeepEqual(p, shown) {
		p.UpdatedAt = event.Later(at, before.UpdatedAt)
	}
	p.Version++
	return p, true
}

// entry returns the entry of the audit log for a change of a player by an action.
func entry(by access.Attribution, action access.Action, before, after Player) access.Entry {
	return access.Entry{
		By: by, Action: action, Target: before.ID,
		Before: before.auditValues(action), After: after.auditValues(action),
	}
}

// auditValues returns the values of the player that an action changes, for the audit log.
func (p Player) auditValues(action access.Action) map[string]any {
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
