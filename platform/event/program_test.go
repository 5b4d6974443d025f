package event_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/platform/event"
)

// publisher finds the subject and the publishers in the lists of states and facts.
var publisher = regexp.MustCompile("(?m)^- `((?:state|facts)\\.[^`]+)`, `[^`]+`, by ([a-z, ]+)")

// The page that describes the catalogue and the programs agree on who publishes what. Only the facts that every
// service with an audit log publishes have several publishers.
func TestPrograms_publish_as_documented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(testdeps.Root(t), "docs/events.md"))
	require.NoError(t, err)
	documented := map[string][]string{}
	for _, row := range publisher.FindAllStringSubmatch(string(page), -1) {
		documented[strings.Replace(row[1], "<id>", "*", 1)] = strings.Split(row[2], ", ")
	}
	published := map[string][]string{}
	for _, p := range event.Programs() {
		for _, subject := range p.Publishes {
			if streamed(subject) && !strings.HasPrefix(subject, "room.") && !strings.HasPrefix(subject, "commands.") {
				published[subject] = append(published[subject], p.Name)
			}
		}
	}
	if diff := cmp.Diff(published, documented); diff != "" {
		t.Errorf("docs/events.md (+) differs from the programs (-):\n%s", diff)
	}
	for subject, names := range published {
		if len(names) > 1 && subject != event.AuditWrittenSubject && subject != event.CommandRefusedSubject {
			t.Errorf("%s is published by %v", subject, names)
		}
	}
}

// Whatever lists the types of facts by Facts has all of them.
func TestFacts_has_what_programs_publish(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, f := range event.Facts() {
		known[f.Subject()] = true
	}
	for _, p := range event.Programs() {
		for _, subject := range p.Publishes {
			if strings.HasPrefix(subject, "facts.") && !known[subject] {
				t.Errorf("%s publishes %s, which no type of Facts has", p.Name, subject)
			}
		}
	}
}

func streamed(subject string) bool {
	return slices.ContainsFunc(event.Streams(), func(s event.Stream) bool {
		return strings.HasPrefix(subject, strings.TrimSuffix(s.Subjects[0], ">"))
	})
}

// Whatever is asked is answered by one program.
func TestPrograms_serve_each_request_once(t *testing.T) {
	t.Parallel()
	answerer := map[string]string{}
	for _, p := range event.Programs() {
		for _, a := range p.Serves {
			if other, twice := answerer[a.Subject]; twice {
				t.Errorf("%s is answered by %s and by %s", a.Subject, other, p.Name)
			}
			answerer[a.Subject] = p.Name
		}
	}
	for _, p := range event.Programs() {
		for _, subject := range p.Requests {
			if answerer[subject] == "" {
				t.Errorf("%s sends the request %s, which no program serves", p.Name, subject)
			}
		}
	}
	for _, subject := range []string{
		event.EnsurePlayerSubject, event.RegisterPlayerSubject, event.GetPlayerSubject, event.GetMapSubject,
		event.RoomOpenSubject,
	} {
		if answerer[subject] == "" {
			t.Errorf("no program serves %s", subject)
		}
	}
}

// Every durable consumer belongs to one program.
func TestProgram_Consumers(t *testing.T) {
	t.Parallel()
	owners := map[string]int{}
	for _, p := range event.Programs() {
		for _, c := range p.Consumers() {
			owners[c.Name]++
		}
	}
	for _, c := range event.Consumers() {
		if owners[c.Name] != 1 {
			t.Errorf("consumer %s belongs to %d programs", c.Name, owners[c.Name])
		}
	}
}
