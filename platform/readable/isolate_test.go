package readable_test

import (
	"testing"

	"capzone.dev/platform/readable"
)

func TestIsolate(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "", "Skyline Run 2": "Skyline Run 2", "跑酷": "跑酷",
		"שלום 7": "\u2068שלום 7\u2069", "run سباق": "\u2068run سباق\u2069",
	} {
		if got := readable.Isolate(name); got != want {
			t.Errorf("Isolate(%q) = %q, want %q", name, got, want)
		}
	}
}
