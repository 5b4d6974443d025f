package verification

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// queueTest is a queue, with the logins and rooms that a test names.
type queueTest struct {
	*queue

	now   time.Time
	named map[string]*room
	rooms map[string]*fakeRoom
}

func newQueueTest(cfg Config) *queueTest {
	if cfg.QueueTimeout == 0 {
		cfg.QueueTimeout = 70 * time.Second
	}
	return &queueTest{queue: newQueue(cfg), now: time.Now(), named: map[string]*room{}, rooms: map[string]*fakeRoom{}}
}

func (q *queueTest) login(name string) *room {
	if q.named[name] == nil {
		q.named[name] = &room{id: name}
	}
	return q.named[name]
}

func (q *queueTest) room(link string) *fakeRoom {
	if q.rooms[link] == nil {
		q.rooms[link] = &fakeRoom{link: link}
	}
	return q.rooms[link]
}

// The events of a queue.

func add(names ...string) func(*queueTest) { return addHolding(0, names...) }

func addHolding(held int, names ...string) func(*queueTest) {
	return func(q *queueTest) {
		for _, name := range names {
			q.add(q.login(name), held, q.now)
		}
	}
}

func created(links ...string) func(*queueTest) {
	return func(q *queueTest) {
		for _, link := range links {
			q.created(q.room(link))
		}
	}
}

func closed(links ...string) func(*queueTest) {
	return func(q *queueTest) {
		for _, link := range links {
			q.closed(q.room(link))
		}
	}
}

// refused refuses creations that began so long ago.
func refused(err error, ago ...time.Duration) func(*queueTest) {
	return func(q *queueTest) {
		for _, d := range ago {
			q.refused(err, q.now.Add(-d), q.now)
		}
	}
}

func nothing(*queueTest) {}

// describe returns actions as a test writes them.
func describe(actions []action) []string {
	var texts []string
	for _, next := range actions {
		switch do := next.(type) {
		case createRoom:
			texts = append(texts, "create")
		case assignRoom:
			texts = append(texts, fmt.Sprintf("%s gets %s", do.login.id, do.room.Link()))
		case refuseLogin:
			texts = append(texts, "refuse "+do.login.id)
		case moveLogin:
			texts = append(texts, fmt.Sprintf("%s moves to %d", do.login.id, do.position))
		case closeUnused:
			texts = append(texts, fmt.Sprintf("close %d", do.count))
		}
	}
	return texts
}

func TestQueue_next(t *testing.T) {
	t.Parallel()
	atLimit := ErrLimit
	banned := RetryLaterError{For: 2 * time.Minute, Cause: errors.New("banned")}
	paced := Config{Capacity: 8, Burst: 3, Interval: 2500 * time.Millisecond}
	withSpares := paced
	withSpares.Spares = 2
	unchecked := withSpares
	unchecked.CheckEvery = time.Hour
	type step struct {
		after time.Duration
		event func(*queueTest)
		want  []string
	}
	for _, tt := range []struct {
		name  string
		cfg   Config
		steps []step
	}{
		{"creates a burst, then one room in each interval", paced, []step{
			{0, add("a", "b", "c", "d", "e"), []string{"create", "create", "create"}},
			{2400 * time.Millisecond, nothing, nil},
			{100 * time.Millisecond, nothing, []string{"create"}},
			{2500 * time.Millisecond, nothing, []string{"create"}},
			{2500 * time.Millisecond, nothing, nil},
		}},
		{"gives rooms in the order of the logins", paced, []step{
			{0, add("a", "b", "c", "d"), []string{"create", "create", "create"}},
			{time.Second, created("1", "2"), []string{"a gets 1", "b gets 2", "c moves to 0", "d moves to 1"}},
		}},
		{"places a login of an address with fewer rooms first", Config{Capacity: 0}, []step{
			{0, addHolding(1, "a", "b"), []string{"close 2"}},
			{0, addHolding(0, "c"), []string{"close 3", "a moves to 1", "b moves to 2"}},
			{0, addHolding(2, "d"), []string{"close 4"}},
		}},
		{"passes a room on whose login has ended", paced, []step{
			{0, add("a", "b"), []string{"create", "create"}},
			{0, created("1"), []string{"a gets 1", "b moves to 0"}},
			{0, func(q *queueTest) { q.giveBack(q.room("1")) }, []string{"b gets 1"}},
		}},
		{"refuses a login that has waited too long", Config{QueueTimeout: 20 * time.Second}, []step{
			{0, add("a"), []string{"close 1"}},
			{10 * time.Second, add("b"), []string{"close 2"}},
			{10 * time.Second, nothing, []string{"refuse a", "close 1", "b moves to 0"}},
			{10 * time.Second, nothing, []string{"refuse b"}},
		}},
		{"refuses a login whose wait would end within a pause", paced, []step{
			{0, add("a"), []string{"create"}},
			{time.Second, refused(banned, time.Second), []string{"refuse a"}},
			{10 * time.Second, add("b"), []string{"refuse b"}},
			{2 * time.Minute, add("c"), []string{"create"}},
		}},
		{"closes unused rooms at the limit only", Config{Capacity: 1}, []step{
			{0, add("a"), []string{"create"}},
			{0, created("1"), []string{"a gets 1"}},
			{0, add("b", "c"), []string{"close 2"}},
			{0, closed("1"), []string{"create", "close 1"}},
		}},
		{"halves the limit at a limit of the game, once for creations under way together", Config{Capacity: 8}, []step{
			{0, add("a", "b", "c", "d"), []string{"create", "create", "create", "create"}},
			{time.Second, refused(atLimit, time.Second, time.Second), nil},
			{0, created("1", "2"), []string{"a gets 1", "b gets 2", "c moves to 0", "d moves to 1"}},
			{2 * time.Second, nothing, nil},
			{500 * time.Millisecond, nothing, []string{"create", "create"}},
			{0, add("e"), []string{"close 1"}},
			{time.Minute, closed("1"), []string{"create"}},
		}},
		{"pauses longer after limits in a row, until a room is created", Config{Capacity: 64}, []step{
			{0, add("a"), []string{"create"}},
			{time.Second, refused(atLimit, time.Second), nil},
			{2500 * time.Millisecond, nothing, []string{"create"}},
			{time.Second, refused(atLimit, time.Second), nil},
			{2500 * time.Millisecond, nothing, nil},
			{2500 * time.Millisecond, nothing, []string{"create"}},
			{time.Second, created("1"), []string{"a gets 1"}},
			{0, add("b"), []string{"create"}},
			{time.Second, refused(atLimit, time.Second), nil},
			{2500 * time.Millisecond, nothing, []string{"create"}},
		}},
		{"pauses for a second after another error", paced, []step{{0, add("a"), []string{"create"}}, {0,
			refused(errors.New("a broken connection"), 0), nil}, {time.Second, nothing, []string{"create"}}}},
		{"creates spare rooms while it is quiet", withSpares, []step{
			{0, nothing, []string{"create"}},
			{0, created("1"), nil},
			{2500 * time.Millisecond, nothing, []string{"create"}},
			{0, created("2"), nil},
			{time.Minute, nothing, nil},
			{0, add("a"), []string{"a gets 1", "create"}},
			{time.Minute, closed("2"), []string{"create"}},
			{0, created("3", "4"), nil},
		}},
		{"creates no spare room before the first check", unchecked, []step{
			{0, nothing, nil},
			{0, func(q *queueTest) { q.ready = true }, []string{"create"}},
		}},
		{"does nothing when the bot stops", paced, []step{
			{0, func(q *queueTest) { add("a")(q); q.stopped = true }, nil},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			q := newQueueTest(tt.cfg)
			for i, step := range tt.steps {
				q.now = q.now.Add(step.after)
				step.event(q)
				if diff := cmp.Diff(step.want, describe(q.next(q.now))); diff != "" {
					t.Fatalf("step %d (-want +got):\n%s", i+1, diff)
				}
			}
		})
	}
}

// The limit is back to its largest number after one minute for each room.
func TestQueue_next_raises_the_limit(t *testing.T) {
	t.Parallel()
	q := newQueueTest(Config{Capacity: 8})
	q.creating = 1
	refused(ErrLimit, 0)(q)
	limits := []int{q.limit.current}
	for range 5 {
		q.now = q.now.Add(growEvery)
		q.next(q.now)
		limits = append(limits, q.limit.current)
	}
	if want := []int{4, 5, 6, 7, 8, 8}; !slices.Equal(limits, want) {
		t.Errorf("limits %v, want %v", limits, want)
	}
}

func TestQueue_admit(t *testing.T) {
	t.Parallel()
	one := Config{Capacity: 1}
	full := func(q *queueTest) {
		for i := range maxQueue {
			add(fmt.Sprint(i))(q)
		}
	}
	for _, tt := range []struct {
		name        string
		cfg         Config
		event       func(*queueTest)
		now, queued error // for a room at once, and for a position in the queue
	}{
		{"a free room", one, nothing, nil, nil},
		{"a spare room", Config{}, func(q *queueTest) { q.giveBack(q.room("1")) }, nil, nil},
		{"no free room", one, func(q *queueTest) { q.open++ }, ErrFull, nil},
		{"a login before", one, add("a"), ErrFull, nil},
		{"a full queue", one, full, ErrFull, ErrFull},
		{"a room that cannot be entered", Config{Capacity: 1, CheckEvery: time.Hour}, nothing, ErrBackingOff,
			ErrBackingOff},
		{"a pause that is shorter than the wait", one, refused(RetryLaterError{For: time.Minute}, 0), ErrFull, nil},
		{"a longer pause", one, refused(RetryLaterError{For: 2 * time.Minute}, 0), ErrBackingOff, ErrBackingOff},
		{"a bot that stops", one, func(q *queueTest) { q.stopped = true }, ErrFull, ErrFull},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			q := newQueueTest(tt.cfg)
			q.creating = 1 // ends with an event that refuses it
			tt.event(q)
			q.creating = 0
			if err := q.admit(q.now, false); !errors.Is(err, tt.now) {
				t.Errorf("at once: %v, want %v", err, tt.now)
			}
			if err := q.admit(q.now, true); !errors.Is(err, tt.queued) {
				t.Errorf("in the queue: %v, want %v", err, tt.queued)
			}
			if open, wait := q.canOpen(q.now), q.canWait(q.now); open != (tt.now == nil) || wait != (tt.queued == nil) {
				t.Errorf("can open: %t, can wait: %t", open, wait)
			}
		})
	}
}
