package player

import (
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
)

// Rule returns what becomes of a player whose row is locked, or the reason why nothing does.
type Rule func(p Player) (Change, error)

// PairRule is Rule for two players.
type PairRule func(first, second Player) (firstChange, secondChange Change, err error)

// Change is a player after a change, with all that is stored in the same transaction.
type Change struct {
	Player Player
	Facts  []event.Fact
	// Avatar is the upload of a new avatar.
	Avatar objectstore.Upload
	// Actions leave a row in the audit log each, by the attribution.
	Actions []access.Action
	By      access.Attribution
}

// AuditValues returns the values of a player that an action changes, for the audit log.
func AuditValues(action access.Action, p Player) map[string]any {
	roles, formerNames := append([]string{}, p.Roles...), append([]string{}, p.FormerNames...)
	switch action {
	case access.GrantRole, access.RevokeRole, access.ChangeRoles:
		return map[string]any{"roles": roles}
	case access.ChangeAvatar:
		return map[string]any{"avatar": p.Avatar}
	case access.BanPlayer, access.UnbanPlayer:
		return map[string]any{"banned": p.Banned, "banReason": p.BanReason}
	case access.ReleaseName:
		return map[string]any{"formerNames": formerNames}
	default: // of a merge all that is needed to undo it by hand
		return map[string]any{
			"name": p.Name, "formerNames": formerNames, "mergedInto": p.MergedInto, "registered": p.Registered,
			"level": p.Level, "roles": roles, "banned": p.Banned, "banReason": p.BanReason, "avatar": p.Avatar,
		}
	}
}
