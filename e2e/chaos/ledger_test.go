package chaos

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// ledger is what the site has said yes to.
type ledger struct {
	mu     sync.Mutex
	runs   []handedIn
	maps   []string        // ids
	hashes map[string]bool // of all replays, those that came with maps too
	people map[string]bool // who logged in for the first time: "id name"
	wrong  []string        // what must never happen
	looked int             // so many of runs were looked at before
}

// handedIn is a run that was accepted.
type handedIn struct {
	id, player, mapID, hash string
	ms                      int
}

func (l *ledger) runAccepted(r handedIn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs = append(l.runs, r)
	l.note(r.hash)
}

func (l *ledger) mapAccepted(id string, replay []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.maps = append(l.maps, id)
	l.note(hashOf(replay))
}

func (l *ledger) loggedIn(id, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.people == nil {
		l.people = map[string]bool{}
	}
	l.people[id+" "+name] = true
}

// missing returns who of those who logged in is not among these.
func (l *ledger) missing(there []string) (absent []string) {
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

func (l *ledger) note(hash string) {
	if l.hashes == nil {
		l.hashes = map[string]bool{}
	}
	if l.hashes[hash] {
		l.wrong = append(l.wrong, "a replay was accepted twice: "+hash)
	}
	l.hashes[hash] = true
}

// never notes what must never happen.
func (l *ledger) never(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
}

// takeWrong returns what was noted since the last time.
func (l *ledger) takeWrong() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	wrong := l.wrong
	l.wrong = nil
	return wrong
}

// takeNew returns the runs that were not returned before.
func (l *ledger) takeNew() []handedIn {
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh := l.runs[l.looked:]
	l.looked = len(l.runs)
	return fresh
}

// all returns the hashes of all accepted replays, and the ids of all maps.
func (l *ledger) all() (hashes, maps []string) {
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
