package event_test

import (
	"encoding/json"
	"fmt"
	"time"

	"capzone.dev/platform/event"
)

func ExampleDecode() {
	state := event.MapStats{MapID: "0198c0de-0000-7000-8000-000000000001", Version: 7, Records: 12}
	data, _ := json.Marshal(state)
	envelope := event.Envelope{ID: "0198c0de-0000-7000-8000-0000000000ff", Version: state.Version, At: time.Now(),
		Data: data}

	// A consumer of state.v1.mapstats.> decodes the payload and compares the version with its copy's.
	got, err := event.Decode[event.MapStats](envelope)
	fmt.Println(got.Subject(), got.StateVersion(), got.Records, err)
	// Output: state.v1.mapstats.0198c0de-0000-7000-8000-000000000001 7 12 <nil>
}
