package player

import (
	"context"
	"slices"

	"capzone.dev/platform/objectstore"
)

// Update is a requested change of a profile. Nil fields stay as they are.
type Update struct {
	// SkinImage is the uploaded image file.
	SkinImage []byte
	// Roles is a JSON list.
	Roles *string
	// NameOrLevel is true where the request has either, which cannot be changed.
	NameOrLevel bool
}

// Avatars stores avatar images.
type Avatars interface {
	// Put makes an avatar of an image and stores it. Images wait for each other, fairly by the
	// player who uploads. It returns the problems of images, or a problem of kind unavailable.
	Put(ctx context.Context, playerID string, image []byte) (objectstore.Upload, error)
}

// Updater changes profiles on request.
type Updater struct {
	Profiles ProfileStore
	Avatars  Avatars
}

// ProfileStore reads and changes players by id.
type ProfileStore interface {
	// Get returns a player, also one who was merged, or ErrUnknown, also for an invalid id.
	Get(ctx context.Context, id string) (Player, error)
	// Edit is as in EditablePlayers.
	Edit(ctx context.Context, id string, edit Edit) (Player, error)
}

// Update changes a player's profile on behalf of the player by, whose rights are read from the store,
// because an access token may be 15 minutes old. Either may have been merged since. It returns
// ErrUnknown, ErrNotAllowed, ErrAdminsOnly, ErrFromTheGame, ErrBanned (of by), ErrNothingGiven, or the
// problems of roles and images.
func (u *Updater) Update(ctx context.Context, by, id string, want Update) (Player, error) {
	target, err := u.resolveMerged(ctx, id)
	if err != nil {
		return Player{}, err
	}
	actor, err := u.resolveMerged(ctx, by)
	if err != nil {
		return Player{}, ErrNotAllowed.Wrap(err)
	}
	if err := mayUpdate(actor, target, want); err != nil {
		return Player{}, err
	}
	if want.SkinImage == nil && want.Roles == nil {
		return Player{}, ErrNothingGiven
	}

	var roles []string
	if want.Roles != nil {
		if roles, err = ReadRoles(*want.Roles); err != nil {
			return Player{}, err
		}
		if actor.ID == target.ID && !slices.Contains(roles, Admin) {
			return Player{}, ErrOwnAdminRole
		}
	}
	var avatar objectstore.Upload
	if want.SkinImage != nil {
		if avatar, err = u.Avatars.Put(ctx, actor.ID, want.SkinImage); err != nil {
			return Player{}, err
		}
	}
	return u.Profiles.Edit(ctx, target.ID, func(p *Player) (Effects, error) {
		effects := Effects{Avatar: avatar}
		if avatar != nil {
			p.Avatar = avatar.Key()
		}
		if want.Roles != nil {
			p.Roles = roles
		}
		if want.Roles != nil || actor.ID != p.ID {
			effects.Audit = &AuditEntry{
				Actor: actor.ID, Action: "update player",
				Details: map[string]any{"roles": p.Roles, "avatar": p.Avatar},
			}
		}
		return effects, nil
	})
}

func mayUpdate(actor, target Player, want Update) error {
	switch {
	case actor.Banned:
		return ErrBanned
	case actor.ID != target.ID && !actor.HasRole(Moderator, Admin):
		return ErrNotAllowed
	case want.NameOrLevel:
		return ErrFromTheGame
	case want.Roles != nil && !actor.HasRole(Admin):
		return ErrAdminsOnly
	}
	return nil
}

// resolveMerged returns the player with the id or, for a player who was merged, the one into
// whom they were merged. Players are never merged into a merged player, so this ends.
func (u *Updater) resolveMerged(ctx context.Context, id string) (Player, error) {
	for {
		p, err := u.Profiles.Get(ctx, id)
		if err != nil || p.MergedInto == "" {
			return p, err
		}
		id = p.MergedInto
	}
}
