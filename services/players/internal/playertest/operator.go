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

func (o Operator) moderator() *player.Moderator {
	return &player.Moderator{Players: o.Store, Now: time.Now}
}

// change calls a change with the id of the player of a name.
func (o Operator) change(
	ctx context.Context, name string, change func(id string) (player.Player, error),
) (player.Player, error) {
	p, err := (&player.Reader{Players: o.Store}).Find(ctx, name)
	if err != nil {
		return player.Player{}, err
	}
	return change(p.ID)
}

func by(reason string) access.Attribution {
	return access.Attribution{Actor: access.Operator(Account), Reason: access.Reason(reason)}
}

// Grant gives the player of a name a role.
func (o Operator) Grant(ctx context.Context, name, role string) (player.Player, error) {
	return o.change(ctx, name, func(id string) (player.Player, error) {
		return o.moderator().Grant(ctx, by(""), id, role)
	})
}

// Revoke takes a role from the player of a name.
func (o Operator) Revoke(ctx context.Context, name, role string) (player.Player, error) {
	return o.change(ctx, name, func(id string) (player.Player, error) {
		return o.moderator().Revoke(ctx, by(""), id, role)
	})
}

// Ban bans the player of a name.
func (o Operator) Ban(ctx context.Context, name, reason string) (player.Player, error) {
	return o.change(ctx, name, func(id string) (player.Player, error) {
		return o.moderator().Ban(ctx, by(reason), id, time.Time{})
	})
}

// Unban lifts the ban of the player of a name.
func (o Operator) Unban(ctx context.Context, name, reason string) (player.Player, error) {
	return o.change(ctx, name, func(id string) (player.Player, error) {
		return o.moderator().Unban(ctx, by(reason), id)
	})
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
	return o.moderator().Merge(ctx, by(reason), merged.ID, kept.ID)
}

// Release takes a former name from its player.
func (o Operator) Release(ctx context.Context, name, reason string) (player.Player, error) {
	return o.moderator().Release(ctx, by(reason), name)
}
