package parkourmap

import (
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
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

func TestParseMapTags(t *testing.T) {
	t.Parallel()
	many := func(n int) []string {
		var tags []string
		for i := range n {
			tags = append(tags, string(rune('a'+i)))
		}
		return tags
	}
	for _, tt := range []struct {
		name   string
		given  []string
		want   []string
		faults []string
	}{
		{"none", nil, []string{}, nil},
		{"trimmed and lower-cased", []string{"  Speed ", "HARD"}, []string{"speed", "hard"}, nil},
		{"empty ones are ignored", []string{"", "  ", "speed"}, []string{"speed"}, nil},
		{"a repetition is dropped", []string{"speed", "Speed ", "hard"}, []string{"speed", "hard"}, nil},
		{"spaces inside stay", []string{"wall jump"}, []string{"wall jump"}, nil},
		{"ten", many(10), many(10), nil},
		{"ten and a repetition", append(many(10), "A"), many(10), nil},
		{"more than eleven, and then a fault", append(many(12), "a,b"), nil, []string{"A map has at most 10 tags."}},
		{"one fault often", []string{"a,b", "c,d", "a\x00", "e,f"}, nil,
			[]string{"A tag cannot hold a comma.", "A tag cannot hold control or invisible characters."}},
		{"eleven", many(11), nil, []string{"A map has at most 10 tags."}},
		{"24 characters of any script", []string{strings.Repeat("é", 24)}, []string{strings.Repeat("é", 24)}, nil},
		{"25 characters", []string{strings.Repeat("x", 25)}, nil, []string{"A tag has at most 24 characters."}},
		{"a comma, by which a search joins tags", []string{"a,b"}, nil, []string{"A tag cannot hold a comma."}},
		{"a zero-width character", []string{"speed\u200brun"}, nil,
			[]string{"A tag cannot hold control or invisible characters."}},
		{"a bidirectional control", []string{"\u202enur"}, nil,
			[]string{"A tag cannot hold control or invisible characters."}},
		{"a variation selector is dropped", []string{"speed\ufe0f", "speed"}, []string{"speed"}, nil},
		{"a filler alone", []string{"\u3164"}, nil, []string{"A tag cannot hold control or invisible characters."}},
		{"a mark alone", []string{"\u0300"}, nil, []string{"A tag cannot hold control or invisible characters."}},
		{"marks alone", []string{"\u0300\u0301"}, nil, []string{"A tag cannot hold control or invisible characters."}},
		{"an empty Braille pattern", []string{"\u2800"}, nil,
			[]string{"A tag cannot hold control or invisible characters."}},
		{"a Braille pattern", []string{"\u2801"}, []string{"\u2801"}, nil},
		{"an emoji", []string{"❤\ufe0f"}, []string{"❤"}, nil},
		{"emoji and words with joiners", []string{"\U0001F3F3\uFE0F\u200D\U0001F308", "می\u200cخواهم", "\U0001FAE9"},
			[]string{"\U0001F3F3\uFE0F\u200D\U0001F308", "می\u200cخواهم", "\U0001FAE9"}, nil},
		{"an accent composed and decomposed is one tag", []string{"é", "e\u0301"}, []string{"é"}, nil},
		{"a control character", []string{"a\x00b"}, nil, []string{"A tag cannot hold control or invisible characters."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, faults := parseTags(tt.given)
			var messages []string
			for _, fault := range faults {
				messages = append(messages, fault.Message)
			}
			assert.Equal(t, "faults", tt.faults, messages)
			if tt.faults == nil {
				assert.Equal(t, "tags", tt.want, got)
			}
		})
	}
}
