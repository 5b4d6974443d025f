package eventbus_test

import (
	"context"
	"fmt"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// A consumer of several kinds of state has one handler for each kind.
func ExampleRoute() {
	handle := eventbus.Route(map[string]eventbus.Handler{
		event.PlayerStatePrefix: eventbus.ApplyState(func(_ context.Context, p event.PlayerState) error {
			fmt.Println("player", p.Name, "in version", p.Version)
			return nil // the message is acknowledged
		}),
		event.MapStatsPrefix: eventbus.ApplyState(func(_ context.Context, s event.MapStats) error {
			fmt.Println("map with", s.Records, "records")
			return nil
		}),
	})

	// In a service, eventbus.Consume calls the handler.
	const id = "0198c0de-0000-7000-8000-000000000001"
	_ = handle(context.Background(), event.PlayerStatePrefix+id, event.Envelope{
		ID: "1", Data: []byte(`{"id":"` + id + `","version":3,"name":"cloudstep"}`),
	})
	err := handle(context.Background(), event.MapStatsPrefix+id, event.Envelope{ID: "2", Data: []byte(`{"mapId":7}`)})
	fmt.Println("undecodable:", err != nil)
	// Output:
	// player cloudstep in version 3
	// undecodable: true
}
