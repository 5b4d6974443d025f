package player

import (
	"context"
	"errors"
	"slices"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// maxLevel is higher than any level in the game.
const maxLevel = 9999

// Login is what the verification room has shown of a player who proved the account.
type Login struct {
	Name  string
	Level int
	// Skin is the game's avatar as JSON, or empty.
	Skin []byte
}

// Registrar registers players after verified logins.
type Registrar struct {
	Finder Finder
	Editor ByNameEditor
}

// Register creates the player of a verified login, takes over the placeholder of that name with its
// id, or updates a known player's level, skin and letter case of the name. Invalid levels are
// clamped. A name that another player had formerly makes a new player, except while that player is
// banned: a ban covers former names. It returns playername.ErrInvalid, ErrSkinInvalid or ErrBanned.
func (r *Registrar) Register(ctx context.Context, login Login) (Player, error) {
	if err := playername.Check(login.Name); err != nil {
		return Player{}, err
	}
	color := ""
	if hasSkin(login.Skin) {
		var err error
		if color, err = readSkin(login.Skin); err != nil {
			return Player{}, err
		}
	}
	holder, err := r.Finder.GetByName(ctx, login.Name)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return Player{}, err
	}
	if holder.Banned {
		return Player{}, ErrBanned
	}
	return r.Editor.EditByName(ctx, login.Name, func(p *Player) (Effects, error) {
		if p.Banned {
			return Effects{}, ErrBanned
		}
		p.Name = strings.TrimSpace(login.Name)
		p.Level = min(max(login.Level, 0), maxLevel)
		if hasSkin(login.Skin) {
			p.Skin, p.SkinColor = slices.Clone(login.Skin), color
		}
		if p.Registered {
			return Effects{}, nil
		}
		p.Registered = true
		return Effects{Facts: []event.Fact{event.PlayerRegistered{PlayerID: p.ID, TookOver: p.Version > 0}}}, nil
	})
}
