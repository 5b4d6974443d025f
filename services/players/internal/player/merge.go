package player

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// Merge merges a player into another, for a person who has another name in the game now. Records
// and maps follow by events. It returns ErrUnknown, playername.ErrInvalid, ErrReasonInvalid,
// ErrMerged for a name that was merged before, ErrMergeSelf, ErrMergeUnproved or ErrTooManyRoles.
func (o *Operator) Merge(ctx context.Context, from, into, reason string) (Player, error) {
	reason = strings.TrimSpace(reason)
	if reason != "" {
		var err error
		if reason, err = readReason(reason); err != nil {
			return Player{}, ErrReasonInvalid
		}
	}
	old, err := o.findCurrent(ctx, from)
	if err != nil {
		return Player{}, err
	}
	kept, err := o.findCurrent(ctx, into)
	if err != nil {
		return Player{}, err
	}
	if old.ID == kept.ID {
		return Player{}, ErrMergeSelf
	}
	_, kept, err = o.Players.EditPair(ctx, old.ID, kept.ID, func(old, kept *Player) (Effects, error) {
		effects := Effects{
			Facts: []event.Fact{event.PlayerMerged{PlayerID: old.ID, IntoID: kept.ID, Reason: reason}},
			Audit: &AuditEntry{Actor: o.Account, Action: "merge player", Reason: reason, Details: mergeDetails(*old, *kept)},
		}
		if old.Banned && !kept.Banned {
			effects.Facts = append(effects.Facts, event.PlayerBanned{PlayerID: kept.ID, Reason: old.BanReason})
		}
		return effects, old.mergeInto(kept)
	})
	return kept, err
}

// findCurrent returns the player who has the name now, or ErrMerged for a former name.
func (o *Operator) findCurrent(ctx context.Context, name string) (Player, error) {
	p, err := o.Find(ctx, name)
	if err == nil && !playername.Same(p.Name, name) {
		return Player{}, ErrMerged.WithMessage("%s was merged into %s before.", strings.TrimSpace(name), p.Name)
	}
	return p, err
}

// mergeDetails returns what an operator needs to undo a merge by hand.
func mergeDetails(old, kept Player) map[string]any {
	return map[string]any{
		"name": old.Name, "formerNames": append([]string{}, old.FormerNames...),
		"registered": old.Registered, "level": old.Level,
		"roles": append([]string{}, old.Roles...), "banReason": old.BanReason, "avatar": old.Avatar,
		"intoId": kept.ID, "intoName": kept.Name, "intoRoles": append([]string{}, kept.Roles...),
	}
}

// mergeInto moves all that the player has to another, who keeps an own level, skin and avatar. A
// ban of either bans the other. It returns ErrMergeUnproved or ErrTooManyRoles.
func (p *Player) mergeInto(other *Player) error {
	if p.Registered && !other.Registered {
		return ErrMergeUnproved
	}
	for _, role := range p.Roles {
		if !other.HasRole(role) {
			other.Roles = append(other.Roles, role)
		}
	}
	if len(other.Roles) > maxRoles {
		return ErrTooManyRoles.WithMessage("Together the two have more than %d roles. Revoke some first.", maxRoles)
	}
	other.FormerNames = slices.Concat(other.FormerNames, []string{p.Name}, p.FormerNames)
	other.Avatar = cmp.Or(other.Avatar, p.Avatar)
	if len(other.Skin) == 0 {
		other.Skin, other.SkinColor = p.Skin, p.SkinColor
	}
	if p.CreatedAt.Before(other.CreatedAt) {
		other.CreatedAt = p.CreatedAt
	}
	if p.Banned && !other.Banned {
		other.Banned, other.BanReason = true, p.BanReason
	}
	*p = Player{
		ID: p.ID, Version: p.Version, Name: p.Name, MergedInto: other.ID,
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	return nil
}

// Release takes a former name from a player, for a person who has the name in the game now. It
// returns ErrNotFormer for a present name, or ErrReasonMissing.
func (o *Operator) Release(ctx context.Context, name, reason string) (Player, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Player{}, err
	}
	entry := AuditEntry{Action: "release name", Reason: reason, Details: map[string]any{"name": strings.TrimSpace(name)}}
	return o.edit(ctx, name, entry, func(p *Player) (Effects, error) {
		if playername.Same(p.Name, name) {
			return Effects{}, ErrNotFormer
		}
		p.LoseFormerName(name)
		return Effects{}, nil
	})
}

// LoseFormerName removes a former name.
func (p *Player) LoseFormerName(name string) {
	p.FormerNames = slices.DeleteFunc(p.FormerNames, func(former string) bool { return playername.Same(former, name) })
}
