package live

import "time"

// settledAfter is longer than any response with live data is stored, its making included.
const settledAfter = 15 * time.Second

// pastPositions are positions at earlier times, the oldest first. One of them is older than settledAfter, or none.
type pastPositions []pastPosition

type pastPosition struct {
	at       time.Time
	sequence uint64
}

// add adds the position at a time, and removes those that are no longer needed.
func (p *pastPositions) add(at time.Time, sequence uint64) {
	*p = append(*p, pastPosition{at, sequence})
	for len(*p) > 1 && !(*p)[1].at.After(at.Add(-settledAfter)) {
		*p = (*p)[1:]
	}
}

// before returns the newest position that is not younger than a time.
func (p pastPositions) before(t time.Time) (sequence uint64, ok bool) {
	for _, past := range p {
		if past.at.After(t) {
			break
		}
		sequence, ok = past.sequence, true
	}
	return sequence, ok
}
