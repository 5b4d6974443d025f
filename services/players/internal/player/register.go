package player

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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

// Registration is of the player who has a name, at a time.
type Registration struct {
	Name string
	// NewID is the id of the player if there is none of the name.
	NewID string
	At    time.Time
	// Login is nil for a placeholder. SkinColor is that of its skin, and empty where the skin has none.
	Login     *Login
	SkinColor string
}

// RegistrationStore finds and changes players by their names.
type RegistrationStore interface {
	// GetByName returns the player who has the name or, where there is none, who had it formerly.
	// It returns ErrUnknown.
	GetByName(ctx context.Context, name string) (Player, error)
	// Register locks the player who has the name, whom it creates where there is none, and stores what Named.Register
	// returns, as ModerationStore does. It returns the error of that, or ErrBusy.
	Register(ctx context.Context, r Registration) (Player, error)
}

// Named is the player of a name. The rows are locked.
type Named struct {
	// Player has version 0 if the name was nobody's until now.
	Player Player
	// Holder is who had the name formerly, nil where nobody had.
	Holder *Player
	// IsBanned is true for a player who has never logged in, and whose name was that of a deleted player who is banned.
	IsBanned bool
}

// Registrar creates players: after verified logins, and as placeholders for the authors of maps.
type Registrar struct {
	Players RegistrationStore
	Now     func() time.Time
	// NewID returns the id of a new player.
	NewID func() string
}

// Register creates the player of a verified login, takes over the placeholder of that name with its id, or updates
// a known player's level, skin and letter case of the name. Invalid levels are clamped. A banned player registers
// too, to read why and to appeal. A name that another player had formerly makes a new player, except while that
// player is banned: a ban covers former names, and the names of a player who was deleted. It returns
// playername.ErrInvalid, ErrSkinInvalid or ErrBanned.
func (r *Registrar) Register(ctx context.Context, login Login) (Player, error) {
	if err := playername.Check(login.Name); err != nil {
		return Player{}, err
	}
	registration := Registration{Name: login.Name, NewID: r.NewID(), At: event.InMillis(r.Now()), Login: &login}
	if hasSkin(login.Skin) {
		var err error
		if registration.SkinColor, err = readSkin(login.Skin); err != nil {
			return Player{}, err
		}
	}
	return r.Players.Register(ctx, registration)
}

// Register returns the player of a registration, and takes the name from who had it formerly. A login may be refused
// with ErrBanned.
func (n Named) Register(r Registration) (Change, error) {
	p, change := n.Player, Change{}
	if n.Holder != nil {
		change.Other = &Change{Player: n.Holder.withoutFormerName(r.Name)}
	}
	if login := r.Login; login != nil {
		if n.IsBanned || n.Holder != nil && n.Holder.Banned {
			return Change{}, ErrBanned
		}
		if !p.Registered {
			change.Facts = []event.Fact{event.PlayerRegistered{PlayerID: p.ID, ClaimedPlaceholder: p.Version > 0}}
		}
		p.Name, p.Registered = strings.TrimSpace(r.Name), true
		p.Level = min(max(login.Level, 0), maxLevel)
		if hasSkin(login.Skin) {
			p.Skin, p.SkinColor = slices.Clone(login.Skin), r.SkinColor
		}
	}
	change.Player = p
	return change, nil
}

// Ensure returns the player of the name and creates a placeholder where there is none. Concurrent calls for one name
// return one player. It returns playername.ErrInvalid for a name that no account can have.
func (r *Registrar) Ensure(ctx context.Context, name string) (Player, error) {
	// Most players are known; reading takes no lock.
	p, err := r.Players.GetByName(ctx, name)
	if !errors.Is(err, ErrUnknown) {
		return p, err
	}
	if err := playername.Check(name); err != nil {
		return Player{}, err
	}
	return r.Players.Register(ctx, Registration{Name: name, NewID: r.NewID(), At: event.InMillis(r.Now())})
}

// EnsurePlayer answers event.EnsurePlayerSubject.
func (r *Registrar) EnsurePlayer(ctx context.Context, req event.EnsurePlayer) (event.PlayerState, error) {
	p, err := r.Ensure(ctx, req.Name)
	return p.State(), err
}

// RegisterPlayer answers event.RegisterPlayerSubject.
func (r *Registrar) RegisterPlayer(ctx context.Context, req event.RegisterPlayer) (event.PlayerState, error) {
	p, err := r.Register(ctx, Login{Name: req.Name, Level: req.Level, Skin: req.Skin})
	return p.State(), err
}

const (
	maxSkin  = 16 << 10 // bytes
	maxColor = 0xffffff
)

// readSkin returns the base colour of the game's avatar ("bc", a number 0xRRGGBB) as #rrggbb. It is
// empty where the skin has no valid colour, which does not prevent a login. It returns
// ErrSkinInvalid for a skin that is too large or not a JSON object.
func readSkin(skin []byte) (color string, err error) {
	if len(skin) > maxSkin || !utf8.Valid(skin) {
		return "", ErrSkinInvalid
	}
	var avatar map[string]json.RawMessage
	if err := json.Unmarshal(skin, &avatar); err != nil || avatar == nil {
		return "", ErrSkinInvalid
	}
	var base *int64
	if err := json.Unmarshal(avatar["bc"], &base); err == nil && base != nil && *base >= 0 && *base <= maxColor {
		return fmt.Sprintf("#%06x", *base), nil
	}
	return "", nil
}

// hasSkin reports whether a login has a skin.
func hasSkin(skin []byte) bool {
	skin = bytes.TrimSpace(skin)
	return len(skin) > 0 && !bytes.Equal(skin, []byte("null"))
}
