package parkourmap

import (
	"strings"
	"testing"
)

func TestParseDescription(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, given, want string
		invalid           bool
	}{
		{"trimmed", " Jump. \n", "Jump.", false},
		{"line breaks of one kind", "a\r\nb\rc\nd", "a\nb\nc\nd", false},
		{"tabs", "a\tb", "a\tb", false},
		{"signs stay what they are", "<b>&amp;</b>", "<b>&amp;</b>", false},
		{"bidirectional controls leave", "\u202eabc\u202c \u2066d\u2069\u200f", "abc d", false},
		{"zero-width characters leave", "speed\u200brun\ufeff\u2060", "speedrun", false},
		{"a joiner leaves between letters", "speed\u200drun", "speedrun", false},
		{"a joiner stays in an emoji", "👩\u200d🚀", "👩\u200d🚀", false},
		{"a Persian half-space stays", "می\u200cخواهم", "می\u200cخواهم", false},
		{"2,000 characters of any script", strings.Repeat("é", 2000), strings.Repeat("é", 2000), false},
		{"2,001 characters", strings.Repeat("x", 2001), "", true},
		{"a NUL", "a\x00b", "", true},
		{"an escape", "a\x1b[31m", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, invalid := parseDescription(tt.given)
			if (len(invalid) > 0) != tt.invalid {
				t.Fatalf("invalid = %v, want any: %v", invalid, tt.invalid)
			}
			if !tt.invalid && got != tt.want {
				t.Errorf("description = %q, want %q", got, tt.want)
			}
		})
	}
}
