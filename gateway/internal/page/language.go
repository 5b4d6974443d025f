package page

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"capzone.dev/gateway/internal/webapp"
)

// language is a language of the site, by its code.
type language string

const english language = "en"

// languages are those of web/src/locales/index.ts.
var languages = []language{english, "es", "de", "pl"}

// cookieName is the name of the cookie with the language that a visitor has chosen on the site.
const cookieName = "lang"

// audience is for whom a page is made.
type audience struct {
	// visitor is the language of the page itself, and preview that of link previews and feeds.
	visitor, preview language
}

// audienceOf returns the languages that a request asks for: both by the query's lang, else the visitor's by the cookie
// or Accept-Language, with previews in English. English is the default.
func audienceOf(r *http.Request) audience {
	if asked, ok := knownLanguage(r.URL.Query().Get("lang")); ok {
		return audience{asked, asked}
	}
	for _, cookie := range r.CookiesNamed(cookieName) {
		if chosen, ok := knownLanguage(cookie.Value); ok {
			return audience{chosen, english}
		}
	}
	return audience{accepted(r.Header.Get("Accept-Language")), english}
}

// key names the audience in the key of a stored response.
func (a audience) key() string { return string(a.visitor) + " " + string(a.preview) }

func knownLanguage(code string) (language, bool) {
	l := language(code)
	return l, slices.Contains(languages, l)
}

// accepted returns the site's language that a header Accept-Language prefers, or English.
func accepted(header string) language {
	best, most := english, 0.0
	for item := range strings.SplitSeq(header, ",") {
		tag, parameter, _ := strings.Cut(strings.TrimSpace(item), ";")
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		known, ok := knownLanguage(primary)
		quality := 1.0
		if q, isQuality := strings.CutPrefix(strings.TrimSpace(parameter), "q="); isQuality {
			var err error
			if quality, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		if ok && quality > most { // of equal ones the first
			best, most = known, quality
		}
	}
	return best
}

// catalogue returns the address of the site's catalogue in a language, or "" for English and where the build has none.
func catalogue(app *webapp.Handler, l language) string {
	manifest, err := app.ReadFile(".vite/manifest.json")
	if err != nil {
		return ""
	}
	var chunks map[string]struct{ File string }
	if err := json.Unmarshal(manifest, &chunks); err != nil {
		return ""
	}
	file := chunks["src/locales/"+string(l)+".po?first"].File
	if file == "" {
		return ""
	}
	return "/" + file
}
