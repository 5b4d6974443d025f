package searchkey_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/searchkey"
)

func TestKeyDisregards(t *testing.T) {
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
		{"width", "ｃｌｏｕｄ", "cloud"},
		{"the case of Cherokee", "ꭳᎣ", "ᎣᎣ"},
		{"white space around and in rows", " \tcloud \n step ", "cloud step"},
		{"control characters", "cloud\x00step", "cloud step"},
		{"broken UTF-8", "clo\xffud", "cloud"},
		{"nothing about signs", "~[x]_★%", "~[x]_★%"},
		{"nothing about vowel signs", "हिन्दी", "हिन्दी"},
		{"accents without a letter", "\u0301", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := searchkey.Key(tt.in); got != tt.want {
				t.Errorf("Key(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestGramsAreTheDistinctPartsOfOneToThreeLetters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key  string
		want []string
	}{
		{"", nil},
		{"é", []string{"é"}},
		{"aa", []string{"a", "aa"}},
		{"anna", []string{"a", "an", "ann", "n", "na", "nn", "nna"}},
		{"雲a★", []string{"a", "a★", "★", "雲", "雲a", "雲a★"}},
	} {
		if diff := cmp.Diff(tt.want, searchkey.Grams(tt.key)); diff != "" {
			t.Errorf("Grams(%q) (-want +got):\n%s", tt.key, diff)
		}
	}
}

func TestTermGramsAreTheFewestThatDecide(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		term string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"an", []string{"an"}},
		{"ann", []string{"ann"}},
		{"anna", []string{"ann", "nna"}},
		{"aaaaa", []string{"aaa"}},
	} {
		if diff := cmp.Diff(tt.want, searchkey.TermGrams(tt.term)); diff != "" {
			t.Errorf("TermGrams(%q) (-want +got):\n%s", tt.term, diff)
		}
	}
}

func FuzzKey(f *testing.F) {
	for _, seed := range []string{"CloudStep", "ǅ", "ß", "ﬁre", "İstanbul", "ᾳ", "한글", "a\u0301\u0300", "\u00a0x", "\xff\x00", "ﷺ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key := searchkey.Key(text)
		if !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
			t.Errorf("Key(%q) = %q, which PostgreSQL refuses", text, key)
		}
		if again := searchkey.Key(key); again != key {
			t.Errorf("Key(%q) = %q, but Key of that is %q", text, key, again)
		}
		if utf8.ValidString(text) {
			if other := searchkey.Key(playername.Key(text)); other != key {
				t.Errorf("Key(%q) = %q, but of the same name's key it is %q", text, key, other)
			}
		}
		grams := searchkey.Grams(key)
		for _, gram := range searchkey.TermGrams(key) {
			if _, found := slices.BinarySearch(grams, gram); !found {
				t.Errorf("Grams(%q) lacks %q, so a search for the whole name would miss it", key, gram)
			}
		}
	})
}
