package personal_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestFindTokens(t *testing.T) {
	t.Parallel()
	a, b := "cz_"+strings.Repeat("a", 43), "cz_"+strings.Repeat("_", 43)
	for text, want := range map[string][]string{
		"":                      nil,
		"cz_short":              nil,
		"CZ_" + a[3:]:           nil,
		a:                       {a},
		"x" + a + "y":           {a},
		"a=" + a + "&b=" + b:    {a, b},
		"/maps/" + b + "/edits": {b},
	} {
		if diff := cmp.Diff(want, personal.FindTokens(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
