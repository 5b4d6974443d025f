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
		{"emoji with joiners", "\U0001F3F3\uFE0F\u200D\U0001F308 \U0001F469\u200D\U0001F680", true},
		{"the flag of a region", "\U0001F3F4\U000E0067\U000E0062\U000E007F", true},
		{"a key", "1\uFE0F\u20E3", true},
		{"an emoji of Unicode 16", "\U0001FAE9", true},
		{"an emoji of Unicode 17", "\U0001FAC8", true},
		{"a Persian half-space", "می\u200cخواهم", true},
		{"a joiner between Latin letters", "é\u200dé", false},
		{"a half-space at the end", "می\u200c", false},
		{"two joiners", "\U0001F469\u200D\u200D\U0001F680", false},
		{"a selector alone", "\uFE0F a", false},
		{"tags without a flag", "a\U000E0067", false},
		{"an ignorable character that is not assigned yet", "a\U000E0FFF", false},
		{"a private character", "a\uE000", false},
		{"no character", "a\uFFFE", false},
		{"a blank that is no space", "a\u00a0b", false},
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

func TestClean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\u202eabc\u202c\u200b\ufeff":      "abc",
		"line\n\ttab\r":                    "line\n\ttab\r",
		"می\u200cخواهم speed\u200crun":     "می\u200cخواهم speedrun",
		"\U0001F469\u200D\U0001F680\u200D": "\U0001F469\u200D\U0001F680",
	} {
		if got := readable.Clean(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	if got := readable.Printable("a\x00b\nc\xffd \u202e\U0001FAE9"); got != "abcd \U0001FAE9" {
		t.Errorf("Printable returned %q", got)
	}
}
