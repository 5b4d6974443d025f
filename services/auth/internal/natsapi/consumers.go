// Package natsapi connects auth with the other services and the bots over NATS: it consumes their
// events, whose payloads are validated here, and asks them.
package natsapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/auth/internal/login"
)

// ApplyReports returns the handler of event.AuthRooms.
func ApplyReports(logins *login.Logins) eventbus.MsgHandler {
	return func(ctx context.Context, msg jetstream.Msg) error {
		report, err := decodeReport(msg.Subject(), msg.Data())
		if err != nil {
			return eventbus.Undecodable(err)
		}
		return logins.Report(ctx, report)
	}
}

// maxName bounds the name of a visitor, in bytes. The game's names have far fewer.
const maxName = 256

func decodeReport(subject string, data []byte) (event.RoomReport, error) {
	var r event.RoomReport
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("room report: %w", err)
	}
	switch {
	case event.RoomEventSubject(r.Room) != subject:
		return r, fmt.Errorf("report of room %q on %s", r.Room, subject)
	case r.Bot == "":
		return r, errors.New("room report without a bot")
	case !event.IsID(r.Session):
		return r, errors.New("room report without a session")
	case r.Position < 0:
		return r, errors.New("room report with an invalid position")
	case r.Visitor != nil && (r.Visitor.Visit < 1 || len(r.Visitor.Name) > maxName):
		return r, errors.New("room report with an invalid visitor")
	}
	return r, nil
}
