package page

import (
	"encoding/json"
	"net/http"

	"capzone.dev/gateway/internal/webapp"
	"capzone.dev/platform/language"
)

// locale writes the sentences, numbers and days of a language.
type locale language.Language

const english = locale(language.English)

// cookieName is the name of the cookie with the language that a visitor has chosen on the site.
const cookieName = "lang"

// audience is for whom a page is made.
type audience struct {
	// visitor is the language of the page itself, and preview that of link previews and feeds.
	visitor, preview locale
}

// audienceOf returns the languages that a request asks for: both by the query's lang, else the visitor's by the cookie
// or Accept-Language, with previews in English. English is the default.
func audienceOf(r *http.Request) audience {
	if asked, ok := language.Parse(r.URL.Query().Get("lang")); ok {
		return audience{locale(asked), locale(asked)}
	}
	for _, cookie := range r.CookiesNamed(cookieName) {
		if chosen, ok := language.Parse(cookie.Value); ok {
			return audience{locale(chosen), english}
		}
	}
	return audience{locale(language.Accepted(r.Header.Get("Accept-Language"))), english}
}

// key names the audience in the key of a stored response.
func (a audience) key() string { return string(a.visitor) + " " + string(a.preview) }

// catalogue returns the address of the site's catalogue in a language, or "" for English and where the build has none.
func catalogue(app *webapp.Handler, l locale) string {
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
