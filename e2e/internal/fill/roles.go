package fill

import (
	"context"
	"fmt"
	"slices"

	"capzone.dev/e2e/site"
)

const adminRole = "admin"

// giveRoles has the operator make the first admin, who gives everybody else
// their roles.
func (f *filling) giveRoles(ctx context.Context) error {
	if f.Operator == nil {
		return nil
	}
	admin := -1
	for i, p := range f.World.Players {
		if slices.Contains(p.Roles, adminRole) {
			admin = i
			break
		}
	}
	if admin < 0 {
		return nil
	}
	if err := f.makeAdmin(ctx, f.players[admin]); err != nil {
		return err
	}
	for i, p := range f.World.Players {
		if len(p.Roles) == 0 || i == admin {
			continue
		}
		if err := f.giveRolesTo(ctx, f.players[admin], f.players[i], p.Roles); err != nil {
			return fmt.Errorf("roles of %s: %w", p.Account.Name, err)
		}
	}
	return nil
}

func (f *filling) makeAdmin(ctx context.Context, p *player) error {
	profile, err := p.PlayerByID(ctx, p.Player.ID)
	if err != nil || slices.Contains(profile.Roles, adminRole) {
		return err
	}
	if _, err := f.Operator.Operate(ctx, "players", "grant", profile.Name, adminRole); err != nil {
		return err
	}
	return p.AwaitRole(ctx, adminRole)
}

func (f *filling) giveRolesTo(ctx context.Context, admin, p *player, roles []string) error {
	profile, err := p.PlayerByID(ctx, p.Player.ID)
	if err != nil {
		return err
	}
	if slices.Equal(slices.Sorted(slices.Values(profile.Roles)), slices.Sorted(slices.Values(roles))) {
		return nil
	}
	if _, err := admin.UpdatePlayer(ctx, p.Player.ID, site.PlayerUpdate{Roles: roles}); err != nil {
		return err
	}
	return p.AwaitRole(ctx, roles[0])
}
