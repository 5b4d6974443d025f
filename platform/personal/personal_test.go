package personal_test

import (
	"strings"
	"testing"

	"capzone.dev/platform/personal"
)

func TestNewToken(t *testing.T) {
	t.Parallel()
	raw := personal.NewToken()
	if len(raw) != 46 || !personal.IsToken(raw) || !personal.HasForm(raw) || raw == personal.NewToken() {
		t.Errorf("%q", raw)
	}
	if personal.HashOf(raw) == personal.HashOf(personal.NewToken()) {
		t.Error("two tokens have one hash")
	}
	for _, other := range []string{"", "cz_", raw[:45], raw + "a", " " + raw, raw[:45] + "!"} {
		if personal.HasForm(other) {
			t.Errorf("%q has the form of a token", other)
		}
	}
}

func TestIsIn(t *testing.T) {
	t.Parallel()
	a, b := "cz_"+strings.Repeat("a", 43), "cz_"+strings.Repeat("_", 43)
	for text, want := range map[string]bool{
		"":                      false,
		"cz_short":              false,
		"CZ_" + a[3:]:           false,
		a:                       true,
		"x" + a + "y":           true,
		"a=1&b=" + b:            true,
		"/maps/" + b + "/edits": true,
	} {
		if got := personal.IsIn(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
