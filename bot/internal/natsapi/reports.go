package natsapi

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

// publishTimeout bounds one attempt to publish a report.
const publishTimeout = 3 * time.Second

// Reports publishes reports to the stream ROOMS. It is a verification.Reporter.
type Reports struct{ js jetstream.JetStream }

// NewReports returns reports that are published through js.
func NewReports(js jetstream.JetStream) Reports { return Reports{js} }

// Report implements verification.Reporter. With the message id, a report that is
// sent again because its acknowledgement was lost is stored only once.
func (p Reports) Report(ctx context.Context, r event.RoomReport) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("report %d of room %s: %w", r.Number, r.Room, err)
	}
	if !p.js.Conn().IsConnected() {
		// The client would buffer one message for each attempt.
		return nats.ErrConnectionReconnecting
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	id := fmt.Sprintf("%s.%d", r.Room, r.Number)
	if _, err := p.js.Publish(ctx, event.RoomEventSubject(r.Room), body, jetstream.WithMsgID(id)); err != nil {
		return fmt.Errorf("report %s: %w", id, err)
	}
	return nil
}
