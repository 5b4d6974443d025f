package mapgen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/e2e/internal/mapgen"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
)

// courses returns generated maps of every mode, count of each.
func courses(count int) []mapgen.Course {
	var all []mapgen.Course
	for _, mode := range bonkmap.ParkourModes() {
		for seed := range count {
			all = append(all, mapgen.Generate(mapgen.Options{Seed: uint64(seed), Mode: mode, Author: "cloudstep", ID: 7}))
		}
	}
	return all
}

func TestGenerate_is_deterministic(t *testing.T) {
	if diff := cmp.Diff(courses(5), courses(5)); diff != "" {
		t.Error(diff)
	}
}

func TestGenerate(t *testing.T) {
	fingerprints := map[bonkmap.Fingerprint]bool{}
	for _, course := range courses(40) {
		m := course.Map
		t.Run(fmt.Sprintf("%s in %s", m.Name, m.Mode), func(t *testing.T) {
			encoded, err := bonkmap.Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			again, err := bonkmap.Decode(encoded)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(m, again); diff != "" {
				t.Errorf("the encoded map differs:\n%s", diff)
			}
			if len(encoded) > 60_000 {
				t.Errorf("the map string has %d characters", len(encoded))
			}
			if !m.Mode.Parkour() || m.Author != "cloudstep" || m.ID != 7 {
				t.Errorf("mode %q, author %q, id %d", m.Mode, m.Author, m.ID)
			}
			if len(m.CapZones) != 1 || m.FinishIsAmbiguous() {
				t.Errorf("the finish is %v", m.CapZones)
			}
			if len(m.Spawns) == 0 {
				t.Error("there is no spawn")
			}
			if !slices.ContainsFunc(m.Fixtures, func(f bonkmap.Fixture) bool { return f.Deadly }) {
				t.Error("no fixture is deadly")
			}
			if fingerprints[m.PhysicsFingerprint()] {
				t.Error("another map has the same fingerprint")
			}
			fingerprints[m.PhysicsFingerprint()] = true
		})
	}
}

func TestGenerate_description(t *testing.T) {
	for _, course := range courses(40) {
		if len(course.Tags) < 3 || len(course.Tags) > 5 {
			t.Errorf("%s has %d tags", course.Map.Name, len(course.Tags))
		}
		for _, tag := range course.Tags {
			if tag != strings.ToLower(strings.TrimSpace(tag)) || len(tag) > 24 || tag == "" ||
				strings.Contains(tag, ",") {
				t.Errorf("tag %q is invalid", tag)
			}
		}
		if distinct := slices.Compact(slices.Clone(course.Tags)); len(distinct) != len(course.Tags) {
			t.Errorf("tags repeat: %q", course.Tags)
		}
		if course.Description == "" || len(course.Description) > 300 {
			t.Errorf("the description is %q", course.Description)
		}
		if course.Par < 5_000 || course.Par > 180_000 || course.Par != racetime.Snap(course.Par) {
			t.Errorf("the par is %d ms", course.Par)
		}
	}
}

func TestGenerate_modes_differ(t *testing.T) {
	generated := map[bonkmap.Fingerprint]bonkmap.Mode{}
	for _, mode := range bonkmap.ParkourModes() {
		m := mapgen.Generate(mapgen.Options{Seed: 3, Mode: mode}).Map
		m.Mode = bonkmap.Classic
		if other, taken := generated[m.PhysicsFingerprint()]; taken {
			t.Errorf("%s and %s have the same map", mode, other)
		}
		generated[m.PhysicsFingerprint()] = mode
	}
}

func TestGenerate_other_modes(t *testing.T) {
	for _, mode := range []bonkmap.Mode{bonkmap.Football, bonkmap.NoMode, "xyz"} {
		if got := mapgen.Generate(mapgen.Options{Mode: mode}).Map.Mode; got != bonkmap.Classic {
			t.Errorf("%q is generated as %s", mode, got)
		}
	}
}

func TestGenerate_given_name(t *testing.T) {
	if got := mapgen.Generate(mapgen.Options{Name: "My Map"}).Map.Name; got != "My Map" {
		t.Errorf("the map is called %q", got)
	}
	if got := mapgen.Generate(mapgen.Options{}).Map.Name; got != "Skyline Run" {
		t.Errorf("the map is called %q", got)
	}
	if got := mapgen.Generate(mapgen.Options{Seed: 1 << 63}).Map.Name; got == "" {
		t.Error("a map of a large seed has no name")
	}
}
