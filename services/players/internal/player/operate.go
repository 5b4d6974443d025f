package player

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

const maxReason = 500 // characters

// Operator has the operators' commands, which they run on the machine itself. Each change leaves an
// entry in the audit log. All return ErrUnknown for a name that no player has or had, and
// playername.ErrInvalid for one that no account can have.
type Operator struct {
	// Account is the operator's account, for the audit log.
	Account string
	Players EditablePlayers
}

// EditablePlayers finds and changes the players that an operator names.
type EditablePlayers interface {
	// GetByName is as in PlayersByName.
	GetByName(ctx context.Context, name string) (Player, error)
	// Edit locks a player, calls edit, and stores the edited player with the next version, its
	// state event and the effects. An edit that changes nothing has no effects. It returns
	// ErrUnknown, ErrMerged, or the error of edit.
	Edit(ctx context.Context, id string, edit Edit) (Player, error)
	// EditPair is Edit for two different players. The effects belong to the first.
	EditPair(ctx context.Context, firstID, secondID string, edit EditPair) (first, second Player, err error)
}

// Find returns the player who has or had a name.
func (o *Operator) Find(ctx context.Context, name string) (Player, error) {
	p, err := o.Players.GetByName(ctx, name)
	if errors.Is(err, ErrUnknown) {
		if err := playername.Check(name); err != nil {
			return Player{}, err
		}
		return Player{}, ErrUnknown.WithMessage(
			"There is no player %q. Players are known from their first login or their first map on.", name)
	}
	return p, err
}

// Grant gives a player a role. It returns ErrRoleInvalid, ErrTooManyRoles or ErrHasRole.
func (o *Operator) Grant(ctx context.Context, name, role string) (Player, error) {
	role, err := ReadRole(role)
	if err != nil {
		return Player{}, err
	}
	return o.edit(ctx, name, AuditEntry{Action: "grant role", Details: map[string]any{"role": role}},
		func(p *Player) (Effects, error) {
			if p.HasRole(role) {
				return Effects{}, ErrHasRole
			}
			if len(p.Roles) == maxRoles {
				return Effects{}, ErrTooManyRoles
			}
			p.Roles = append(p.Roles, role)
			return Effects{}, nil
		})
}

// Revoke takes a role from a player, also from the last admin, because operators can grant it
// again. It returns ErrRoleInvalid or ErrLacksRole.
func (o *Operator) Revoke(ctx context.Context, name, role string) (Player, error) {
	role, err := ReadRole(role)
	if err != nil {
		return Player{}, err
	}
	return o.edit(ctx, name, AuditEntry{Action: "revoke role", Details: map[string]any{"role": role}},
		func(p *Player) (Effects, error) {
			if !p.HasRole(role) {
				return Effects{}, ErrLacksRole
			}
			p.Roles = slices.DeleteFunc(p.Roles, func(r string) bool { return r == role })
			return Effects{}, nil
		})
}

// Ban bans a player from logging in and submitting, and ends the player's sessions. It returns
// ErrReasonMissing or ErrAlreadyBanned.
func (o *Operator) Ban(ctx context.Context, name, reason string) (Player, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Player{}, err
	}
	return o.edit(ctx, name, AuditEntry{Action: "ban player", Reason: reason}, func(p *Player) (Effects, error) {
		if p.Banned {
			return Effects{}, ErrAlreadyBanned
		}
		p.Banned, p.BanReason = true, reason
		return Effects{Facts: []event.Fact{event.PlayerBanned{PlayerID: p.ID, Reason: reason}}}, nil
	})
}

// Unban lifts a ban. It returns ErrReasonMissing or ErrNotBanned.
func (o *Operator) Unban(ctx context.Context, name, reason string) (Player, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Player{}, err
	}
	return o.edit(ctx, name, AuditEntry{Action: "unban player", Reason: reason}, func(p *Player) (Effects, error) {
		if !p.Banned {
			return Effects{}, ErrNotBanned
		}
		p.Banned, p.BanReason = false, ""
		return Effects{Facts: []event.Fact{event.PlayerUnbanned{PlayerID: p.ID, Reason: reason}}}, nil
	})
}

func (o *Operator) edit(ctx context.Context, name string, entry AuditEntry, edit Edit) (Player, error) {
	p, err := o.Find(ctx, name)
	if err != nil {
		return Player{}, err
	}
	entry.Actor = o.Account
	return o.Players.Edit(ctx, p.ID, func(p *Player) (Effects, error) {
		effects, err := edit(p)
		effects.Audit = &entry
		return effects, err
	})
}

func readReason(text string) (string, error) {
	reason := strings.TrimSpace(text)
	if reason == "" || !utf8.ValidString(reason) || utf8.RuneCountInString(reason) > maxReason ||
		strings.ContainsRune(reason, 0) {
		return "", ErrReasonMissing
	}
	return reason, nil
}
