package language_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/platform/language"
)

func TestAccepted(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]language.Language{
		"":                             "en",
		"de":                           "de",
		"de-AT":                        "de",
		"es-419,es;q=0.9,en;q=0.8":     "es",
		"fr, de;q=0.9, en;q=0.8":       "de",
		"en-GB, pl;q=0.9":              "en",
		"pl;q=0.5, de;q=0.7":           "de",
		"pl;q=0, nl":                   "en",
		"*":                            "en",
		"ja, zh;q=0.9":                 "en",
		"; q=x, a_very-malformed=list": "en",
	} {
		if got := language.Accepted(header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"en": true, "pl": true, "": false, "PL": false, "fr": false, "de-AT": false} {
		if _, got := language.Parse(code); got != want {
			t.Errorf("%q: %v", code, got)
		}
	}
}

func TestAll_as_on_the_site(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(testdeps.Root(t), "web/src/locales/languages.ts"))
	require.NoError(t, err)
	list := regexp.MustCompile(`LANGUAGES = {.*}`).Find(source)
	var site []language.Language
	for _, found := range regexp.MustCompile(`(\w+): '`).FindAllSubmatch(list, -1) {
		site = append(site, language.Language(found[1]))
	}
	if diff := cmp.Diff(site, language.All()); diff != "" {
		t.Errorf("languages of the site and of the programs (-site +programs):\n%s", diff)
	}
}
