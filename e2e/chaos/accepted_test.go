package chaos

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// accepted is what the site has answered with success.
type accepted struct {
	mu       sync.Mutex
	records  []submission
	maps     []string        // ids
	hashes   map[string]bool // of all replays, those that came with maps too
	people   map[string]bool // who logged in for the first time, as "id name"
	failures []string        // what must never happen
	returned int             // how many of the records takeNew has returned
}

// submission is a record that was accepted.
type submission struct {
	id, player, mapID, hash string
	ms                      int
}

func (l *accepted) addRecord(r submission) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, r)
	l.addHash(r.hash)
}

func (l *accepted) addMap(id string, replay []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.maps = append(l.maps, id)
	l.addHash(hashOf(replay))
}

func (l *accepted) addPlayer(id, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.people == nil {
		l.people = map[string]bool{}
	}
	l.people[id+" "+name] = true
}

// missing returns the players who logged in and are not among these.
func (l *accepted) missing(there []string) (absent []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := map[string]bool{}
	for _, one := range there {
		known[one] = true
	}
	for one := range l.people {
		if !known[one] {
			absent = append(absent, one)
		}
	}
	return absent
}

func (l *accepted) addHash(hash string) {
	if l.hashes == nil {
		l.hashes = map[string]bool{}
	}
	if l.hashes[hash] {
		l.failures = append(l.failures, "a replay was accepted twice: "+hash)
	}
	l.hashes[hash] = true
}

// fail notes what must never happen.
func (l *accepted) fail(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failures = append(l.failures, fmt.Sprintf(format, args...))
}

// takeFailures returns and removes the failures.
func (l *accepted) takeFailures() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	failures := l.failures
	l.failures = nil
	return failures
}

// takeNew returns the records that it has not returned before.
func (l *accepted) takeNew() []submission {
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh := l.records[l.returned:]
	l.returned = len(l.records)
	return fresh
}

// all returns the hashes of all accepted replays, and the ids of all maps.
func (l *accepted) all() (hashes, maps []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for hash := range l.hashes {
		hashes = append(hashes, hash)
	}
	return hashes, append(maps, l.maps...)
}

func hashOf(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}
