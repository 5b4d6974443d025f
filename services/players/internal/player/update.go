package player

import (
	"context"
	"slices"

	"capzone.dev/platform/objectstore"
)

// Update is what a request wants changed. Nil fields stay as they are.
type Update struct {
	// SkinImage is an image file as it was sent.
	SkinImage []byte
	// Roles is a JSON list.
	Roles *string
	// NameOrLevel is set when the request has either, which nobody may change.
	NameOrLevel bool
}

// Avatars keeps avatar images.
type Avatars interface {
	// Keep checks an image, turns it into an avatar and stores it. Returns the
	// problems of images, or that storage is away.
	Keep(ctx context.Context, image []byte) (objectstore.Upload, error)
}

// Updater changes profiles on request.
type Updater struct {
	Finder  Finder
	Editor  Editor
	Avatars Avatars
}

// Update changes the player of the id in the name of the player by. What by may
// do follows from their own row, not from a token that can be a quarter of an
// hour old; either may have been merged since. Returns ErrUnknown, ErrNotAllowed, ErrAdminsOnly, ErrFromTheGame,
// ErrBanned (of by), ErrNothingGiven, and the problems of roles and images.
func (u *Updater) Update(ctx context.Context, by, id string, want Update) (Player, error) {
	target, err := present(ctx, u.Finder, id)
	if err != nil {
		return Player{}, err
	}
	actor, err := present(ctx, u.Finder, by)
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
		if avatar, err = u.Avatars.Keep(ctx, want.SkinImage); err != nil {
			return Player{}, err
		}
	}
	return u.Editor.Edit(ctx, target.ID, func(p *Player) (Effects, error) {
		effects := Effects{Avatar: avatar}
		if avatar != nil {
			p.Avatar = avatar.Key()
		}
		if want.Roles != nil {
			p.Roles = roles
		}
		if want.Roles != nil || actor.ID != p.ID {
			effects.Audit = &AuditEntry{Actor: actor.ID, Action: "update player", Details: map[string]any{"roles": p.Roles, "avatar": p.Avatar}}
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
