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
	"capzone.dev/platform/event"
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

// ProfileUpdate is an update of the player with PlayerID by the player with ActorID, which is empty for their own.
type ProfileUpdate struct {
	Update

	PlayerID, ActorID string
	By                access.Attribution
	At                time.Time
	// Avatar is the upload of the image, and empty where there is none or it is not stored yet.
	Avatar storedfile.Upload
}

// Updater changes profiles on request.
type Updater struct {
	Players UpdateStore
	Avatars Avatars
	Now     func() time.Time
}

// UpdateStore reads and changes players by id, as ModerationStore does.
type UpdateStore interface {
	reader
	// Update locks the player and the actor, and stores what Locked.Update returns. The actor is locked too: of two admins
	// who take each other's role, the second is no admin any more, so one remains.
	Update(ctx context.Context, u ProfileUpdate) (Player, error)
}

// Update changes the profile of the player targetID on behalf of the actor, whose roles are read from the store,
// because an access token may be 15 minutes old. Either player may have been merged since. It returns ErrUnknown,
// access.ErrScopeMissing, ErrNotAllowed, ErrAdminsOnly, ErrFromTheGame, ErrBanned (of the actor), ErrDeleted,
// ErrNothingGiven, ErrOwnRoles, ErrChanged, or the problems of roles and images.
func (u *Updater) Update(ctx context.Context, by access.Attribution, targetID string, asked Update) (Player, error) {
	target, err := resolveMerged(ctx, u.Players, targetID)
	if err != nil {
		return Player{}, err
	}
	actor, err := resolveMerged(ctx, u.Players, by.Actor.ID)
	switch {
	case errors.Is(err, ErrUnknown):
		return Player{}, ErrNotAllowed.Wrap(err)
	case err != nil:
		return Player{}, err
	}
	change := ProfileUpdate{Update: asked, PlayerID: target.ID, By: by}
	read := Locked{Player: target}
	if actor.ID != target.ID {
		read.Other, change.ActorID = &actor, actor.ID
	}
	if _, err := read.Update(change); err != nil { // before the image waits
		return Player{}, err
	}
	if asked.SkinImage != nil {
		if change.Avatar, err = u.Avatars.Put(ctx, asked.SkinImage); err != nil {
			return Player{}, err
		}
	}
	change.At = event.InMillis(u.Now())
	return u.Players.Update(ctx, change)
}

// Update returns the change of a profile by the other player, or by the player where there is no other. It returns the
// errors of Updater.Update.
func (l Locked) Update(u ProfileUpdate) (Change, error) {
	by, err := l.permitUpdate(u)
	if err != nil {
		return Change{}, err
	}
	p, isOwn := l.Player, l.Other == nil
	var actions []access.Action
	if u.Avatar.Key != "" {
		p.Avatar = u.Avatar.Key
		actions = append(actions, access.ChangeAvatar)
	}
	if u.Roles != nil {
		roles, err := ParseRoles(*u.Roles)
		switch {
		case err != nil:
			return Change{}, err
		case isOwn && !slices.Equal(roles, p.Roles):
			return Change{}, ErrOwnRoles
		case !isOwn:
			p.Roles = roles
			actions = append(actions, access.ChangeRoles)
		}
	}
	if !u.UpdatedAt.IsZero() && !u.UpdatedAt.Equal(p.UpdatedAt) {
		return Change{}, ErrChanged
	}
	c := Change{Player: p, Avatar: u.Avatar}
	if !isOwn { // a player's own changes leave no entry
		for _, action := range actions {
			c.Entries = append(c.Entries, entry(by, action, l.Player, p))
		}
	}
	return c, nil
}

// permitUpdate is access.Permit for all of the player that u changes.
func (l Locked) permitUpdate(u ProfileUpdate) (access.Attribution, error) {
	action, actor, against := access.ChangeOwnAvatar, l.Player, []string(nil)
	if l.Other != nil {
		action, actor, against = access.ChangeAvatar, *l.Other, l.Player.Roles
	}
	by, err := access.Permit(u.By, action, actor)
	if err == nil {
		err = by.Actor.RequireAgainst(against)
	}
	switch {
	case l.Player.IsDeleted():
		err = ErrDeleted
	case errors.Is(err, access.ErrForbidden) && actor.Banned:
		err = ErrBanned
	case errors.Is(err, access.ErrForbidden):
		err = ErrNotAllowed
	case err != nil: // the scope is missing, or an admin is needed
	case u.NameOrLevel:
		err = ErrFromTheGame
	case u.Roles != nil && !by.Actor.Can(access.ChangeRoles):
		err = ErrAdminsOnly
	case u.SkinImage == nil && u.Roles == nil:
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
