package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const good = `[{"id": "GO-2026-0001", "in": "example.org/zip", "kind": "go", "until": "2026-12-31",
	"reason": "Only our own archives are read with it."}]`

func parse(t *testing.T, text string) exceptions {
	t.Helper()
	list, err := parseExceptions([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTheFileOfExceptionsCanBeRead(t *testing.T) {
	t.Parallel()
	if _, err := readExceptions("exceptions.json"); err != nil {
		t.Error(err)
	}
	if _, err := readExceptions("absent.json"); err == nil {
		t.Error("an absent file was read")
	}
}

func TestExceptionsThatSayTooLittle(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no list":              `{}`,
		"nothing":              ``,
		"no reason":            strings.Replace(good, "Only our own archives are read with it.", "", 1),
		"a reason of a word":   strings.Replace(good, "Only our own archives are read with it.", "harmless", 1),
		"no id":                strings.Replace(good, "GO-2026-0001", "", 1),
		"nothing weak":         strings.Replace(good, "example.org/zip", "", 1),
		"an unknown kind":      strings.Replace(good, `"go"`, `"rust"`, 1),
		"no last day":          strings.Replace(good, `"until": "2026-12-31",`, "", 1),
		"a day that is none":   strings.Replace(good, "2026-12-31", "2026-13-31", 1),
		"a field that is none": strings.Replace(good, `"kind"`, `"severity": "low", "kind"`, 1),
		"the same twice":       strings.Replace(good, "]", ","+good[1:], 1),
	} {
		if _, err := parseExceptions([]byte(text)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestWhatFails(t *testing.T) {
	t.Parallel()
	zip := weakness{ID: "GO-2026-0001", In: "example.org/zip", Summary: "Endless loop (fixed in v1.2.3)"}
	elsewhere := weakness{ID: "GO-2026-0001", In: "example.org/fork", Summary: "Endless loop"}
	list := parse(t, good)
	on := func(date string) time.Time {
		at, err := time.Parse(time.DateTime, date)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	during := on("2026-11-21 12:00:00")
	for _, tt := range []struct {
		name  string
		list  exceptions
		kind  string
		found []weakness
		on    time.Time
		want  []string // how each line begins
	}{
		{"nothing found, nothing excepted", nil, "go", nil, during, nil},
		{"a weakness fails", nil, "go", []weakness{zip}, during, []string{"GO-2026-0001 in example.org/zip: Endless loop (fixed in v1.2.3)"}},
		{"its exception lets it pass", list, "go", []weakness{zip}, during, nil},
		{"on its last day too", list, "go", []weakness{zip}, on("2026-12-31 23:59:59"), nil},
		{"and no longer", list, "go", []weakness{zip}, on("2027-01-01 00:00:00"), []string{"the exception of GO-2026-0001 in example.org/zip ended with 2026-12-31: Only our own"}},
		{"the same weakness elsewhere fails", list, "go", []weakness{zip, elsewhere}, during, []string{"GO-2026-0001 in example.org/fork"}},
		{"an exception of another kind does not help", list, "npm", []weakness{zip}, during, []string{"GO-2026-0001 in example.org/zip"}},
		{"an exception that nothing needs fails", list, "go", nil, during, []string{"the exception of GO-2026-0001 in example.org/zip is not needed any more"}},
		{"but not where nothing of its kind was looked at", list, "npm", nil, during, nil},
		{"an exception for ever fails", list, "go", []weakness{zip}, on("2024-01-01 00:00:00"), []string{"the exception of GO-2026-0001 in example.org/zip is for longer than a year"}},
	} {
		got := tt.list.judge(tt.kind, tt.found, tt.on)
		if len(got) != len(tt.want) {
			t.Errorf("%s: %s", tt.name, cmp.Diff(tt.want, got))
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], tt.want[i]) {
				t.Errorf("%s: got %q, want %q", tt.name, got[i], tt.want[i])
			}
		}
	}
}
