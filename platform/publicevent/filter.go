package publicevent

import (
	"fmt"
	"slices"
	"strings"
)

// Types is a set of the types by which readers select events.
type Types uint8

// The types, and all of them.
const (
	TypeRecord Types = 1 << iota
	TypeWorldRecord
	TypeMap
	TypePlayer
	TypePoints
	AllTypes = TypeRecord | TypeWorldRecord | TypeMap | TypePlayer | TypePoints
)

// typeNames are the names of the types, in their order.
var typeNames = []string{"record", "worldRecord", "map", "player", "points"}

// ParseTypes returns the set of the named types.
func ParseTypes(names ...string) (types Types, err error) {
	for _, name := range names {
		i := slices.Index(typeNames, strings.TrimSpace(name))
		if i < 0 {
			return 0, fmt.Errorf("there is no type %q", name)
		}
		types |= 1 << i
	}
	return types, nil
}

// Names returns the names of the types, in their order.
func (t Types) Names() (names []string) {
	for i, name := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Filter selects events. Empty ids and an empty mode select all.
type Filter struct {
	Types    Types
	MapID    string
	PlayerID string
	Mode     string
	// ReceiverID is the player whose own events (KindInbox) are selected too, empty for none.
	ReceiverID string
}

// Selects reports whether the filter selects an event.
func (f Filter) Selects(e *Event) bool {
	if e.Kind == KindInbox {
		_, isReceiver := slices.BinarySearch(e.Receivers, f.ReceiverID)
		return isReceiver && f.ReceiverID != ""
	}
	return e.Types&f.Types != 0 &&
		(f.MapID == "" || slices.Contains(e.Maps, f.MapID)) &&
		(f.PlayerID == "" || slices.Contains(e.Players, f.PlayerID)) &&
		(f.Mode == "" || e.Mode == f.Mode)
}
