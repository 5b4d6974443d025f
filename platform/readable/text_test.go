package readable_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/readable"
)

// The site counts by the same cases (web/src/forms/characters.test.ts).
func TestLength(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/lengths.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text   string `json:"text"`
		Length int    `json:"length"`
	}
	require.NoError(t, json.Unmarshal(file, &cases))
	for _, tt := range cases {
		if got := readable.Length(tt.Text); got != tt.Length {
			t.Errorf("%q has %d characters, want %d", tt.Text, got, tt.Length)
		}
	}
}

func TestLine_and_Text(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ line, text bool }{
		"": {false, false}, "a": {true, true}, "\U0001F3C3\U0001F3C3\U0001F3C3": {true, true}, "abcd": {false, false},
		"a\nb": {false, true}, "a\x00": {false, false}, "\xff": {false, false}, "\u200b": {false, true},
	} {
		line, isLine := readable.Line(text, 1, 3)
		if _, isText := readable.Text(text, 1, 3); isLine != want.line || isText != want.text {
			t.Errorf("%q: a line %t, a text %t, want %v", text, isLine, isText, want)
		}
		if line != strings.TrimSpace(text) {
			t.Errorf("%q becomes %q", text, line)
		}
	}
}
