package pagecache

// journalLength is how many changes of tags are remembered. A fetch takes some
// milliseconds; even with a thousand submissions a second these are seconds.
const journalLength = 1 << 14

// journal remembers which tags have changed lately, and in which order.
type journal struct {
	// number counts the changes.
	number uint64
	// last is the number of a tag's last change, of those that are remembered.
	last map[uint64]uint64
	// notes are the remembered changes, the oldest at next.
	notes []note
	next  int
	// forgotten is the number of the youngest change that is not remembered.
	forgotten uint64
}

type note struct{ tag, number uint64 }

func newJournal(length int) journal {
	return journal{last: map[uint64]uint64{}, notes: make([]note, length)}
}

// note writes one change of several tags down, and returns its number.
func (j *journal) note(tags []uint64) uint64 {
	j.number++
	for _, tag := range tags {
		oldest := &j.notes[j.next]
		if oldest.number > 0 {
			j.forgotten = oldest.number
			if j.last[oldest.tag] == oldest.number {
				delete(j.last, oldest.tag)
			}
		}
		*oldest = note{tag, j.number}
		j.last[tag] = j.number
		j.next = (j.next + 1) % len(j.notes)
	}
	return j.number
}

// changedSince tells whether one of the tags has changed after the change of
// that number, or may have.
func (j *journal) changedSince(number uint64, tags []uint64) bool {
	if number < j.forgotten {
		return true
	}
	for _, tag := range tags {
		if j.last[tag] > number {
			return true
		}
	}
	return false
}
