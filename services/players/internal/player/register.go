package player

import (
	"context"
	"errors"
	"slices"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// maxLevel is beyond what anybody can reach in the game.
const maxLevel = 9999

// Login is what the verification room showed of a player who proved an account.
type Login struct {
	Name  string
	Level int
	// Skin is the game's avatar as JSON, empty when the room did not show one.
	Skin []byte
}

// Registrar takes verified logins in.
type Registrar struct {
	Finder Finder
	Editor NamedEditor
}

// Register makes the player of a verified login, takes the placeholder of that
// name over (keeping its id), or brings a known player up to date: the letter
// case of the name, level and skin as they are in the game now. A level that
// cannot be is taken for the nearest that can. Somebody else's former name makes
// a new player, who gets nothing of the other's, unless that one is banned: a ban
// covers all names. Returns playername.ErrInvalid, ErrSkinInvalid or ErrBanned.
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
	holder, err := r.Finder.ByName(ctx, login.Name)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return Player{}, err
	}
	if holder.Banned {
		return Player{}, ErrBanned
	}
	return r.Editor.EditNamed(ctx, login.Name, func(p *Player) (Effects, error) {
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
