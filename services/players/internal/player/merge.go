package player

import (
	"cmp"
	"slices"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// merge returns ErrDeleted, ErrMergeUnproved, ErrTooManyRoles or ErrLastAdmin. Only an operator merges a banned player
// with the only admin who is not banned.
func (l Locked) merge(c Moderation) (Change, error) {
	from, into := l.Player, *l.Other
	merged, kept, err := merge(from, into)
	if err != nil {
		return Change{}, err
	}
	bansAdmin := kept.Banned && (from.isActiveAdmin() || into.isActiveAdmin())
	if bansAdmin && l.OnlyAdmin && c.By.Actor.Kind != access.KindOperator {
		return Change{}, ErrLastAdmin
	}
	facts := []event.Fact{event.PlayerMerged{
		PlayerID: from.ID, IntoID: into.ID, Reason: string(c.By.Reason), DecisionID: c.By.DecisionID,
	}}
	if kept.Banned && !into.Banned {
		facts = append(facts, event.PlayerBanned{
			PlayerID: kept.ID, Reason: kept.Ban.Reason, Until: kept.Ban.Until, DecisionID: c.By.DecisionID,
		})
	}
	change := l.changed(merged, c, facts...)
	change.Other = new(Locked{Player: into}.changed(kept, c))
	return change, nil
}

// isActiveAdmin reports whether the player is an admin who is not banned.
func (p Player) isActiveAdmin() bool { return p.HasRole(access.Admin) && !p.Banned }

// merge moves all that a player has to another, who keeps an own level, skin and avatar. A ban of either bans the
// other, of two bans the one that ends later. It returns ErrDeleted, ErrMergeUnproved or ErrTooManyRoles.
func merge(from, into Player) (merged, kept Player, err error) {
	if from.IsDeleted() || into.IsDeleted() {
		return Player{}, Player{}, ErrDeleted
	}
	if from.Registered && !into.Registered {
		return Player{}, Player{}, ErrMergeUnproved
	}
	kept = into
	for _, role := range from.Roles {
		if !kept.HasRole(role) {
			kept.Roles = slices.Concat(kept.Roles, []string{role})
		}
	}
	if len(kept.Roles) > maxRoles {
		return Player{}, Player{}, ErrTooManyRoles.
			WithMessage("too_many_roles_together", "Together the two have more than {most} roles. Revoke some first.").
			WithData("most", maxRoles)
	}
	kept.FormerNames = slices.Concat(kept.FormerNames, []string{from.Name}, from.FormerNames)
	kept.Avatar = cmp.Or(kept.Avatar, from.Avatar)
	if len(kept.Skin) == 0 {
		kept.Skin, kept.SkinColor = from.Skin, from.SkinColor
	}
	if from.CreatedAt.Before(kept.CreatedAt) {
		kept.CreatedAt = from.CreatedAt
	}
	if from.Banned && (!kept.Banned || from.Ban.endsAfter(kept.Ban)) {
		kept.Banned, kept.Ban = true, from.Ban
	}
	merged = Player{
		ID: from.ID, Version: from.Version, Name: from.Name, MergedInto: into.ID,
		CreatedAt: from.CreatedAt, UpdatedAt: from.UpdatedAt,
	}
	return merged, kept, nil
}

// release returns ErrNotFormer for a present name, and ErrUnknown for what is no name of the player.
func (l Locked) release(c Moderation) (Change, error) {
	after := l.Player.withoutFormerName(c.Name)
	switch {
	case playername.Same(l.Player.Name, c.Name):
		return Change{}, ErrNotFormer
	case len(after.FormerNames) == len(l.Player.FormerNames):
		return Change{}, ErrUnknown
	}
	return l.changed(after, c), nil
}

// withoutFormerName returns the player without a former name.
func (p Player) withoutFormerName(name string) Player {
	p.FormerNames = slices.DeleteFunc(slices.Clone(p.FormerNames),
		func(former string) bool { return playername.Same(former, name) })
	return p
}
