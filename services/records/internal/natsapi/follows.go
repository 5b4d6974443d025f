package natsapi

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// Follows asks the notifications service. It implements record.Follows.
type Follows struct {
	NATS *nats.Conn
}

// ListFollowed implements record.Follows.
func (f *Follows) ListFollowed(ctx context.Context, playerID string) ([]string, error) {
	answer, err := eventbus.Call[event.ListFollowed, event.FollowedPlayers](
		ctx, f.NATS, event.ListFollowedSubject, event.ListFollowed{PlayerID: playerID})
	if err != nil {
		return nil, err
	}
	for _, id := range answer.PlayerIDs {
		if !event.IsID(id) {
			return nil, fmt.Errorf("player %s follows %q, which is no id", playerID, id)
		}
	}
	return answer.PlayerIDs, nil
}
