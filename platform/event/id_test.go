package event_test

import (
	"testing"

	"capzone.dev/platform/event"
)

func TestIsID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"0198c2f4-0000-7000-8000-00000000abcd": true,
		"0198C2F4-0000-7000-8000-00000000ABCD": true,
		"":                                     false,
		"me":                                   false,
		"urn:uuid:0198c2f4-0000-7000-8000-00000000abcd": false,
		"{0198c2f4-0000-7000-8000-00000000abcd}":        false,
		"0198c2f400007000800000000000abcd":              false,
		"0198c2f4-0000-7000-8000-00000000abcg":          false,
		"0198c2f4-00007000--8000-00000000abcd":          false,
		"0198c2f4-0000-7000-8000-00000000abcd" + " ":    false,
	} {
		if got := event.IsID(text); got != want {
			t.Errorf("%q is an id: %v", text, got)
		}
	}
}
