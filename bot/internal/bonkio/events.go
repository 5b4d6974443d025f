package bonkio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Numbers of the events that a client sends.
const (
	sendPing      = 1
	sendTeamLock  = 7
	sendRemove    = 9
	sendChat      = 10
	sendSettings  = 11
	sendCreate    = 12
	sendJoin      = 13
	sendTimesync  = 18
	sendEndOnHost = 50
)

// Numbers of the events that a client receives.
const (
	gotPing        = 1
	gotCreated     = 2
	gotEntered     = 3 // to a visitor: the state of the room
	gotJoined      = 4
	gotLeft        = 5
	gotHostLeft    = 6
	gotRenamed     = 12
	gotStatus      = 16
	gotChat        = 20
	gotSettings    = 21 // to a visitor: the first data, from the host's event 11
	gotTimesync    = 23 // the answer to event 18; other servers send an acknowledgement
	gotRemoved     = 24
	gotHostChanged = 41
	gotShareLink   = 49
)

const (
	// hostID is the number of the player that created the room.
	hostID = 0
	// MaxAvatar is the largest size of a player's avatar, in bytes.
	MaxAvatar = 16 << 10
)

// Player is a player who joined a room.
type Player struct {
	// ID is the player's number in the room, above 0.
	ID   int
	Name string
	// Guest is false only where the game reports an account.
	Guest bool
	// Level is 0 where the game sent none or an invalid one.
	Level int
	// Avatar is a JSON object of at most MaxAvatar bytes, nil where the game sent no such object.
	Avatar json.RawMessage
}

// errNotUnderstood means that an event cannot be read without which the players inside are not known.
var errNotUnderstood = errors.New("the game's server cannot be understood")

// playerJoined reads event 4: id, peer id, name, guest, level, by link, avatar.
// Level and avatar are optional.
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
		name, _ = text(args[1]) // an unreadable name is a new name, too
	}
	return id, name, nil
}

// playerID reads the first argument as the number of a player other than the host.
func playerID(args []json.RawMessage) (int, error) {
	if len(args) > 0 {
		if id, ok := readInt(args[0]); ok && id > hostID {
			return id, nil
		}
	}
	return 0, fmt.Errorf("%w: an event without a player", errNotUnderstood)
}

// isHost reports whether the first argument is the host's number.
func isHost(args []json.RawMessage) bool {
	if len(args) == 0 {
		return false
	}
	id, ok := readInt(args[0])
	return ok && id == hostID
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
	if json.Compact(&compact, arg) != nil || compact.Len() > MaxAvatar {
		return nil
	}
	object := compact.Bytes()
	if !bytes.HasPrefix(object, []byte("{")) || !utf8.Valid(object) {
		return nil
	}
	return object
}

// text reads a JSON string.
func text(arg json.RawMessage) (string, error) {
	var s *string
	if err := json.Unmarshal(arg, &s); err != nil || s == nil {
		return "", errors.New("not a string")
	}
	return *s, nil
}

// statusReason reads event 16.
func statusReason(args []json.RawMessage) string {
	if len(args) == 0 {
		return loggable("")
	}
	given, _ := text(args[0])
	return loggable(given)
}

// isLimit reports whether a reason of the game names one of its limits. The
// names differ: "chat_rate_limit", "rate_limit", "ratelimited", "too many rooms".
func isLimit(reason string) bool {
	reason = strings.ReplaceAll(strings.ToLower(reason), " ", "_")
	return strings.Contains(reason, "rate_limit") || strings.Contains(reason, "ratelimit") ||
		strings.Contains(reason, "too_many")
}
