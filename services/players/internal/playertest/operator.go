package playertest

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/services/players/internal/player"
)

// Operator runs the operators' commands on a store, which name players.
type Operator struct{ Store *Store }

// Account is the operator's account.
const Account = "operator"

// moderate makes a change of the player of a name.
func (o Operator) moderate(ctx context.Context, name, reason string, c player.Moderation) (player.Player, error) {
	p, err := (&player.Reader{Players: o.Store}).Find(ctx, name)
	if err != nil {
		return player.Player{}, err
	}
	c.PlayerID = p.ID
	c.By = access.Attribution{Actor: access.Operator(Account), Reason: access.Reason(reason)}
	return (&player.Moderator{Players: o.Store, Now: time.Now}).Moderate(ctx, c)
}

// Grant gives the player of a name a role.
func (o Operator) Grant(ctx context.Context, name, role string) (player.Player, error) {
	return o.moderate(ctx, name, "", player.Moderation{Action: access.GrantRole, Role: role})
}

// Revoke takes a role from the player of a name.
func (o Operator) Revoke(ctx context.Context, name, role string) (player.Player, error) {
	return o.moderate(ctx, name, "", player.Moderation{Action: access.RevokeRole, Role: role})
}

// Ban bans the player of a name.
func (o Operator) Ban(ctx context.Context, name, reason string) (player.Player, error) {
	return o.moderate(ctx, name, reason, player.Moderation{Action: access.BanPlayer})
}

// Unban lifts the ban of the player of a name.
func (o Operator) Unban(ctx context.Context, name, reason string) (player.Player, error) {
	return o.moderate(ctx, name, reason, player.Moderation{Action: access.UnbanPlayer})
}

// Merge merges the player of one name into that of another.
func (o Operator) Merge(ctx context.Context, from, into, reason string) (player.Player, error) {
	reader := &player.Reader{Players: o.Store}
	merged, err := reader.FindCurrent(ctx, from)
	if err != nil {
		return player.Player{}, err
	}
	kept, err := reader.FindCurrent(ctx, into)
	if err != nil {
		return player.Player{}, err
	}
	return o.moderate(ctx, merged.ID, reason, player.Moderation{Action: access.MergePlayer, IntoID: kept.ID})
}

// Release takes a former name from its player.
func (o Operator) Release(ctx context.Context, name, reason string) (player.Player, error) {
	return o.moderate(ctx, name, reason, player.Moderation{Action: access.ReleaseName, Name: name})
}
