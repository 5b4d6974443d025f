package natsapi

import (
	"context"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/problem"
)

// Leaderboards asks the records service. It implements notification.Leaderboards.
type Leaderboards struct {
	NATS *nats.Conn
}

// Passed implements notification.Leaderboards.
func (l *Leaderboards) Passed(ctx context.Context, recordID string, playerIDs []string) ([]event.MovedPlayer, error) {
	answer, err := eventbus.Call[event.PassedPlayers](ctx, l.NATS, event.FindPassedSubject,
		event.FindPassed{RecordID: recordID, PlayerIDs: playerIDs})
	if problem.IsNotFound(err) {
		return nil, nil
	}
	return answer.Passed, err
}

// Players implements notification.Leaderboards.
func (l *Leaderboards) Players(ctx context.Context, mapID string) ([]string, error) {
	var players []string
	for after := ""; ; {
		page, err := eventbus.Call[event.ListedPlayers](ctx, l.NATS, event.ListPlayersSubject,
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
