// Package language has the languages of the site.
package language

import (
	"slices"

	"golang.org/x/text/language"
)

// Language is a language of the site, by its code.
type Language string

// English is the language of the sources, and of visitors of whom nothing else is known.
const English Language = "en"

// all are those of web/src/locales/languages.ts. English, the first, is the default of matcher.
var all = []Language{English, "es", "de", "pl"}

// All returns the languages of the site, English first.
func All() []Language { return slices.Clone(all) }

// Parse returns the language with a code, and reports whether the site has it.
func Parse(code string) (Language, bool) {
	l := Language(code)
	return l, slices.Contains(all, l)
}

var matcher = newMatcher()

func newMatcher() language.Matcher {
	var tags []language.Tag
	for _, l := range all {
		tags = append(tags, l.Tag())
	}
	return language.NewMatcher(tags)
}

// Accepted returns the language that suits a header Accept-Language best.
func Accepted(header string) Language {
	_, i := language.MatchStrings(matcher, header)
	return all[i]
}

// Tag returns the language as golang.org/x/text knows it.
func (l Language) Tag() language.Tag { return language.Make(string(l)) }
