package record

import (
	"crypto/sha256"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/boundedmap"
)

const (
	// mostCourses bounds the memory.
	mostCourses = 1000
	// longestNames is how long the names of a map and its author are together, in
	// bytes, in the usual course.
	longestNames = 500
)

// courses remembers what was read of maps: replays come by the hundred with the
// same map, which is most of the file and of the work of reading it. The zero value
// remembers nothing yet.
type courses struct {
	known boundedmap.Map[[sha256.Size]byte, course]
}

// course is what counts of a map once it was read.
type course struct {
	// outline is the map without its physics.
	outline bonkmap.Map
	// fingerprint is that of the physics, in hexadecimal digits.
	fingerprint string
}

// read decodes a map string, or finds it again.
func (c *courses) read(mapString string) (course, error) {
	key := sha256.Sum256([]byte(mapString))
	if found, ok := c.known.Get(key); ok {
		return found, nil
	}
	m, err := bonkmap.Decode(mapString)
	if err != nil {
		return course{}, err
	}
	found := course{
		outline:     bonkmap.Map{Name: m.Name, Author: m.Author, ID: m.ID, Mode: m.Mode},
		fingerprint: m.PhysicsFingerprint().String(),
	}
	if len(m.Name)+len(m.Author) <= longestNames {
		c.known.Put(key, found, mostCourses)
	}
	return found, nil
}
