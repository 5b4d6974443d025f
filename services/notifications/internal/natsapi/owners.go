package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
)

// Records asks the records service. It implements notification.Records.
type Records struct {
	NATS *nats.Conn
}

// FindPassed implements notification.Records.
func (r *Records) FindPassed(ctx context.Context, recordID string, playerIDs []string) ([]event.MovedPlayer, error) {
	answer, err := eventbus.Call[event.PassedPlayers](ctx, r.NATS, event.FindPassedSubject,
		event.FindPassed{RecordID: recordID, PlayerIDs: playerIDs})
	if problem.IsNotFound(err) {
		return nil, nil
	}
	return answer.Passed, err
}

// ListPlayers implements notification.Records.
func (r *Records) ListPlayers(ctx context.Context, mapID string) ([]string, error) {
	var players []string
	for after := ""; ; {
		page, err := eventbus.Call[event.ListedPlayers](ctx, r.NATS, event.ListPlayersSubject,
			event.ListPlayers{MapID: mapID, After: after})
		if problem.IsNotFound(err) {
			return players, nil
		}
		if err != nil {
			return nil, err
		}
		players = append(players, page.PlayerIDs...)
		if len(page.PlayerIDs) < event.MaxRequestedPlayers {
			return players, nil
		}
		after = page.PlayerIDs[len(page.PlayerIDs)-1]
	}
}
