// Package subscriber hands to the use cases what others tell: the players service
// of its players, the bots of their rooms.
package subscriber

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// Players takes states of players in. What is older than its copy, or the same
// again, changes nothing.
type Players interface {
	ApplyPlayer(ctx context.Context, p event.PlayerState) error
}

// HandlePlayers returns the handler of event.AuthPlayers.
func HandlePlayers(players Players) eventbus.Handler {
	return func(ctx context.Context, _ string, e event.Envelope) error {
		state, err := event.Decode[event.PlayerState](e)
		if err == nil && !event.IsID(state.ID) {
			err = fmt.Errorf("%q is no id", state.ID)
		}
		if err != nil {
			return eventbus.Undecodable(err)
		}
		return players.ApplyPlayer(ctx, state)
	}
}

// Rooms takes in what bots report, at least once and in any order.
type Rooms interface {
	Report(ctx context.Context, r event.RoomReport) error
}

// What a report may hold. The game's names have far fewer bytes.
const maxName = 256

// HandleRooms returns the handler of event.AuthRooms.
func HandleRooms(rooms Rooms) func(ctx context.Context, msg jetstream.Msg) error {
	return func(ctx context.Context, msg jetstream.Msg) error {
		report, err := readReport(msg.Subject(), msg.Data())
		if err != nil {
			return eventbus.Undecodable(err)
		}
		return rooms.Report(ctx, report)
	}
}

func readReport(subject string, data []byte) (event.RoomReport, error) {
	var r event.RoomReport
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("room report: %w", err)
	}
	switch {
	case event.RoomEventSubject(r.Room) != subject:
		return r, fmt.Errorf("room report of room %q on %s", r.Room, subject)
	case r.Bot == "":
		return r, errors.New("room report without a bot")
	case !event.IsID(r.Session):
		return r, errors.New("room report without a session")
	case r.Visitor != nil && (r.Visitor.Visit < 1 || len(r.Visitor.Name) > maxName):
		return r, errors.New("room report of a visitor who cannot be")
	}
	return r, nil
}
