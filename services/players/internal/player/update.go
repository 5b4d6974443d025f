package player

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/storedfile"
)

// MaxImageSize is the size of the largest accepted avatar, in bytes.
const MaxImageSize = 1 << 20

// Update is a requested change of a profile. Nil fields stay as they are.
type Update struct {
	// SkinImage is the uploaded image file.
	SkinImage []byte
	// Roles is a JSON list.
	Roles *string
	// UpdatedAt is that of the player as the caller has read it, or zero for a change of any reading.
	UpdatedAt time.Time
	// NameOrLevel is true where the request has either, which cannot be changed.
	NameOrLevel bool
}

// Avatars stores avatar images.
type Avatars interface {
	// Put makes an avatar of an image and stores it. Images wait for each other. It returns the problems of images, or a
	// problem of kind unavailable.
	Put(ctx context.Context, image []byte) (storedfile.Upload, error)
}

// Updater changes profiles on request.
type Updater struct {
	Players UpdateStore
	Avatars Avatars
	Now     func() time.Time
}

// UpdateStore reads and changes players by id, as ModerationStore does.
type UpdateStore interface {
	Get(ctx context.Context, id string) (Player, error)
	Change(ctx context.Context, id string, at time.Time, rule Rule) (Player, error)
	ChangePair(ctx context.Context, id, otherID string, at time.Time, rule Rule) (changed, other Player, err error)
}

// Update changes the profile of the player targetID on behalf of the actor, whose roles are read from the store,
// because an access token may be 15 minutes old. Either player may have been merged since. It returns ErrUnknown,
// access.ErrScopeMissing, ErrNotAllowed, ErrAdminsOnly, ErrFromTheGame, ErrBanned (of the actor), ErrDeleted,
// ErrNothingGiven, ErrOwnRoles, ErrChanged, or the problems of roles and images.
func (u *Updater) Update(ctx context.Context, actor access.Actor, targetID string, req Update) (Player, error) {
	target, err := resolveMerged(ctx, u.Players, targetID)
	if err != nil {
		return Player{}, err
	}
	current, err := resolveMerged(ctx, u.Players, actor.ID)
	switch {
	case errors.Is(err, ErrUnknown):
		return Player{}, ErrNotAllowed.Wrap(err)
	case err != nil:
		return Player{}, err
	}
	actor.ID, actor.Name = current.ID, current.Name
	if _, err := permitUpdate(actor, current, target, req); err != nil {
		return Player{}, err
	}

	var roles []string
	if req.Roles != nil {
		if roles, err = ParseRoles(*req.Roles); err != nil {
			return Player{}, err
		}
		if actor.ID == target.ID && !slices.Equal(roles, target.Roles) {
			return Player{}, ErrOwnRoles
		}
	}
	var avatar storedfile.Upload
	if req.SkinImage != nil {
		if avatar, err = u.Avatars.Put(ctx, req.SkinImage); err != nil {
			return Player{}, err
		}
	}
	rule := func(l Locked) (Change, error) { return update(l, actor, req, roles, avatar) }
	if actor.ID == target.ID {
		return u.Players.Change(ctx, target.ID, inMillis(u.Now()), rule)
	}
	// The actor is locked too: of two admins who take each other's role, the second is no admin any more, so one remains.
	updated, _, err := u.Players.ChangePair(ctx, target.ID, actor.ID, inMillis(u.Now()), rule)
	return updated, err
}

// update returns the change of a profile by the actor, who is the player or the other one. Both may have changed while
// the image waited.
func update(l Locked, actor access.Actor, req Update, roles []string, avatar storedfile.Upload) (Change, error) {
	p, current := l.Player, l.Player
	if l.Other != nil {
		current = *l.Other
	}
	by, err := permitUpdate(actor, current, p, req)
	if err != nil {
		return Change{}, err
	}
	if !req.UpdatedAt.IsZero() && !req.UpdatedAt.Equal(p.UpdatedAt) {
		return Change{}, ErrChanged
	}
	c := Change{Player: p, Avatar: avatar, By: by}
	if avatar.Key != "" {
		c.Player.Avatar = avatar.Key
		if actor.ID != p.ID {
			c.Actions = append(c.Actions, access.ChangeAvatar)
		}
	}
	if req.Roles != nil && actor.ID != p.ID {
		c.Player.Roles = roles
		c.Actions = append(c.Actions, access.ChangeRoles)
	}
	return c, nil
}

// permitUpdate is access.Permit for all of the target that req changes. The actor is the player current now.
func permitUpdate(actor access.Actor, current, target Player, req Update) (access.Attribution, error) {
	action, against := access.ChangeAvatar, target.Roles
	if actor.ID == target.ID {
		action, against = access.ChangeOwnAvatar, nil
	}
	by, err := access.Permit(access.Attribution{Actor: actor}, action, current)
	if err == nil {
		err = by.Actor.RequireAgainst(against)
	}
	switch {
	case current.IsDeleted(), target.IsDeleted():
		err = ErrDeleted
	case current.Banned:
		err = ErrBanned
	case errors.Is(err, access.ErrForbidden):
		err = ErrNotAllowed
	case err != nil: // the scope is missing, or an admin is needed
	case req.NameOrLevel:
		err = ErrFromTheGame
	case req.Roles != nil && !by.Actor.Can(access.ChangeRoles):
		err = ErrAdminsOnly
	case req.SkinImage == nil && req.Roles == nil:
		err = ErrNothingGiven
	}
	return by, err
}

const maxRoles = 10

// roleForm allows letters of any script and single spaces.
var roleForm = regexp.MustCompile(`^[\p{L}\p{M}\p{Nd}-]+( [\p{L}\p{M}\p{Nd}-]+)*$`)

const maxRoleLength = 24 // characters

// ParseRole returns a role trimmed and in lower case, or ErrRoleInvalid.
func ParseRole(text string) (string, error) {
	role := strings.ToLower(strings.TrimSpace(text))
	if len([]rune(role)) > maxRoleLength || !roleForm.MatchString(role) {
		return "", ErrRoleInvalid.About("roles")
	}
	return role, nil
}

// ParseRoles reads a JSON list of roles, which may be empty. It returns ErrRolesUnreadable, ErrRoleInvalid,
// ErrTooManyRoles or ErrRoleTwice.
func ParseRoles(text string) ([]string, error) {
	var list []string
	// Unmarshal reads null as an empty list, which would remove all roles.
	if err := json.Unmarshal([]byte(text), &list); err != nil || list == nil {
		return nil, ErrRolesUnreadable.About("roles")
	}
	if len(list) > maxRoles {
		return nil, ErrTooManyRoles.About("roles")
	}
	roles := []string{}
	for _, item := range list {
		role, err := ParseRole(item)
		if err != nil {
			return nil, err
		}
		if slices.Contains(roles, role) {
			return nil, ErrRoleTwice.About("roles")
		}
		roles = append(roles, role)
	}
	return roles, nil
}
