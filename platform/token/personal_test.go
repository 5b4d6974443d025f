package token_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/token"
)

func TestNewPersonal(t *testing.T) {
	t.Parallel()
	raw := token.NewPersonal()
	if len(raw) != 46 || !token.IsPersonal(raw) || !token.IsPersonalForm(raw) || raw == token.NewPersonal() {
		t.Errorf("%q", raw)
	}
	if token.HashPersonal(raw) == token.HashPersonal(token.NewPersonal()) {
		t.Error("two tokens have one hash")
	}
	for _, other := range []string{"", "cz_", raw[:45], raw + "a", " " + raw, raw[:45] + "!"} {
		if token.IsPersonalForm(other) {
			t.Errorf("%q has the form of a token", other)
		}
	}
}

func TestFindPersonal(t *testing.T) {
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
		if diff := cmp.Diff(want, token.FindPersonal(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
