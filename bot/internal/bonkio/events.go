package bonkio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// Numbers of what a host sends.
const (
	sendPing      = 1
	sendTeamLock  = 7
	sendRemove    = 9
	sendChat      = 10
	sendSettings  = 11
	sendCreate    = 12
	sendTimesync  = 18
	sendEndOnHost = 50
)

// Numbers of what a host receives.
const (
	gotPing      = 1
	gotCreated   = 2
	gotJoined    = 4
	gotLeft      = 5
	gotHostLeft  = 6
	gotRenamed   = 12
	gotStatus    = 16
	gotChat      = 20
	gotRemoved   = 24
	gotShareLink = 49
)

const (
	// host is the player that creates a room.
	host = 0
	// MaxAvatar is the size of the largest avatar that is handed on, in bytes.
	MaxAvatar = 16 << 10
)

// Player is who joined a room, as the game tells it.
type Player struct {
	// ID is the player's number in the room, above 0.
	ID   int
	Name string
	// Guest is true unless the game says that the player has an account.
	Guest bool
	// Level is 0 where the game gave none that can be.
	Level int
	// Avatar is a JSON object of at most MaxAvatar bytes, nil where the game gave none such.
	Avatar json.RawMessage
}

// errNotUnderstood says that what the room depends on cannot be read. Whoever
// hosts the room does not know any more who is inside.
var errNotUnderstood = errors.New("the game's server cannot be understood")

// playerJoined reads event 4: id, peer id, name, guest, level, by link, avatar.
// Level and avatar are read if they can be; the rest must be there.
func playerJoined(args []json.RawMessage) (Player, error) {
	if len(args) < 4 {
		return Player{}, fmt.Errorf("%w: a join of %d parts", errNotUnderstood, len(args))
	}
	p := Player{Guest: true}
	var err error
	if p.ID, err = playerID(args); err != nil {
		return Player{}, err
	}
	if p.Name, err = text(args[2]); err != nil {
		return Player{}, fmt.Errorf("%w: a join without a name", errNotUnderstood)
	}
	p.Guest = !bytes.Equal(bytes.TrimSpace(args[3]), []byte("false"))
	if len(args) > 4 {
		p.Level = level(args[4])
	}
	if len(args) > 6 {
		p.Avatar = avatar(args[6])
	}
	return p, nil
}

// playerRenamed reads event 12: id, new name.
func playerRenamed(args []json.RawMessage) (id int, name string, err error) {
	if id, err = playerID(args); err != nil {
		return 0, "", err
	}
	if len(args) > 1 {
		name, _ = text(args[1]) // that there is a new name is what counts
	}
	return id, name, nil
}

// playerID reads the first argument as somebody's who is not the host.
func playerID(args []json.RawMessage) (int, error) {
	if len(args) > 0 {
		if id, ok := readInt(args[0]); ok && id > host {
			return id, nil
		}
	}
	return 0, fmt.Errorf("%w: an event about nobody", errNotUnderstood)
}

// isHost tells whether the first argument is the host's number.
func isHost(args []json.RawMessage) bool {
	if len(args) == 0 {
		return false
	}
	id, ok := readInt(args[0])
	return ok && id == host
}

// level reads a level, which some versions of the game send with a fraction.
func level(arg json.RawMessage) int {
	var n *float64
	if json.Unmarshal(arg, &n) != nil || n == nil || *n < 0 || *n > math.MaxInt32 {
		return 0
	}
	return int(*n)
}

func avatar(arg json.RawMessage) json.RawMessage {
	var compact bytes.Buffer
	if json.Compact(&compact, arg) != nil || compact.Len() > MaxAvatar || !bytes.HasPrefix(compact.Bytes(), []byte("{")) || !utf8.Valid(compact.Bytes()) {
		return nil
	}
	return compact.Bytes()
}

// text reads a JSON string.
func text(arg json.RawMessage) (string, error) {
	var s *string
	if err := json.Unmarshal(arg, &s); err != nil || s == nil {
		return "", errors.New("not a string")
	}
	return *s, nil
}

// reason reads event 16.
func reason(args []json.RawMessage) string {
	if len(args) == 0 {
		return word("")
	}
	given, _ := text(args[0])
	return word(given)
}
