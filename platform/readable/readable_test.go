package readable_test

import (
	"testing"

	"capzone.dev/platform/readable"
)

func TestIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"letters", "Skyline", true},
		{"an emoji", "🏃", true},
		{"a letter with a mark", "e\u0301", true},
		{"empty", "", false},
		{"blanks", "  ", false},
		{"a mark alone", "\u0301", false},
		{"the empty Braille pattern", "\u2800", false},
		{"a zero-width space between letters", "a\u200bb", false},
		{"a change of direction", "a\u202eb", false},
		{"a line break", "a\nb", false},
		{"NUL", "a\x00", false},
		{"not UTF-8", "a\xff", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := readable.Is(tt.text); got != tt.want {
				t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
			}
		})
	}
}
