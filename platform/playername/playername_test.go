package playername_test

import (
	"strings"
	"testing"

	"capzone.dev/platform/playername"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		a, b string
		same bool
	}{
		{"letter case", "CloudStep", "cloudstep", true},
		{"blanks at the ends", "  cloudstep\t", "cloudstep", true},
		{"a space inside counts", "cloud step", "cloudstep", false},
		{"each space inside counts", "cloud  step", "cloud step", false},
		{"an underscore is no space", "cloud_step", "cloud step", false},
		{"empty names", "", " ", false},
		{"a zero-width space counts", "clo\u200bud", "cloud", false},
		{"earlier names: full-width letters", "ｃｌｏｕｄ", "cloud", true},
		{"earlier names: composed and decomposed accents", "Ze\u0301ro", "zéro", true},
		{"earlier names: accents count", "zero", "zéro", false},
		{"earlier names: sharp s", "STRASSE", "straße", true},
		{"earlier names: Greek final sigma", "ΟΔΟΣ", "οδος", true},
		{"broken UTF-8", "a\xff", "a\xff", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := playername.Same(tt.a, tt.b); got != tt.same {
				t.Errorf("Same(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.same)
			}
		})
	}
}

func TestKey_is_stable(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"CloudStep", "ǅ", "ß", "ﬁre", "İstanbul", "ᾳ", "  a  b ", "a\u00a0 b\u3000"} {
		key := playername.Key(name)
		if again := playername.Key(key); again != key {
			t.Errorf("Key(%q) = %q, but Key of that is %q", name, key, again)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		in   string
		ok   bool
	}{
		{"letters and digits", "CloudStep42", true},
		{"spaces and underscores", "cloud _ step", true},
		{"blanks at the ends", " cloudstep\n", true},
		{"64 characters", strings.Repeat("a", 64), true},
		{"65 characters", strings.Repeat("a", 65), false},
		{"empty", "", false},
		{"only spaces", " \t ", false},
		{"signs of a legacy account", "-=Cloud.Step's!=-", true},
		{"markup", "<b>cloudstep", false},
		{"quotation marks and brackets", `"],[4,0`, false},
		{"names in a list", "cloudstep, rain", false},
		{"the word deleted", "deleted", true},
		{"a name that begins like that of a deleted player", "Deleted Players Fan", true},
		{"the name of a deleted player", "deleted player 1a2b", false},
		{"one like that of a deleted player", " _Deleted-Player_1a2b", false},
		{"the key of a deleted player", "Deleted:1a2b", false},
		{"letters of another script", "облако", false},
		{"an accent", "zéro", false},
		{"a combining mark alone", "\u0301", false},
		{"an invisible character alone", "\u3164", false},
		{"a zero-width space", "cloud\u200bstep", false},
		{"a line break", "cloud\nstep", false},
		{"a NUL byte", "cloud\x00", false},
		{"a direction override", "cloud\u202estep", false},
		{"broken UTF-8", "cloud\xff", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := playername.Check(tt.in); (err == nil) != tt.ok {
				t.Errorf("Check(%q) = %v, want ok %v", tt.in, err, tt.ok)
			}
		})
	}
}

func TestOneOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		names []string
		want  bool
	}{
		{"CloudStep", []string{"rain", "cloudstep"}, true},
		{"cloud", []string{"rain", "cloudstep"}, false},
		{"cloudstep", nil, false},
		{"", []string{""}, false},
	} {
		if got := playername.OneOf(tt.name, tt.names...); got != tt.want {
			t.Errorf("OneOf(%q, %q) = %v", tt.name, tt.names, got)
		}
	}
}
