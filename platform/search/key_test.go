package search_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/search"
)

func TestKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in, want string
	}{
		{"letter case", "CloudStep", "cloudstep"},
		{"accents, composed", "Zérö Çà", "zero ca"},
		{"accents, decomposed", "Ze\u0301ro", "zero"},
		{"accents of Greek and Cyrillic", "Ώμέγα ЁЖ", "ωμεγα еж"},
		{"strokes and ligatures", "Ærø Łódź Đæmon", "aero lodz daemon"},
		{"the dotless and the dotted i", "Iıİ", "iii"},
		{"the sharp s", "Straße", "strasse"},
		{"zero-width characters", "speed\u200brun\u200d", "speedrun"},
		{"width", "ｃｌｏｕｄ", "cloud"},
		{"the case of Cherokee", "ꭳᎣ", "ᎣᎣ"},
		{"white space around and in rows", " \tcloud \n step ", "cloud step"},
		{"control characters", "cloud\x00step", "cloud step"},
		{"broken UTF-8", "clo\xffud", "cloud"},
		{"nothing about other signs", "~[x]★%", "~[x]★%"},
		{"quotation marks", "Bob’s “best” `run‘", "bob's \"best\" 'run'"},
		{"underscores and dashes", "snow_fox-run – 2—3", "snow fox run 2 3"},
		{"dashes alone", "_-–", ""},
		{"scripts without blanks", "极限跑酷Run雲の道 ปีน", "极 限 跑 酷 run 雲 の 道 ปี น"},
		{"nothing about vowel signs", "हिन्दी", "हिन्दी"},
		{"accents without a letter", "\u0301", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := search.Key(tt.in); got != tt.want {
				t.Errorf("Key(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzKey(f *testing.F) {
	for _, seed := range []string{"CloudStep", "ǅ", "ß", "ﬁre", "İstanbul", "ᾳ", "한글", "a\u0301\u0300", "\u00a0x",
		"\xff\x00", "ﷺ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key := search.Key(text)
		if !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
			t.Errorf("Key(%q) = %q, which PostgreSQL refuses", text, key)
		}
		if again := search.Key(key); again != key {
			t.Errorf("Key(%q) = %q, but Key of that is %q", text, key, again)
		}
		if utf8.ValidString(text) {
			if other := search.Key(playername.Key(text)); other != key {
				t.Errorf("Key(%q) = %q, but of the same name's key it is %q", text, key, other)
			}
		}
	})
}
