package bonkio

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// maxLine is where a text is broken into several lines of chat, in characters.
	maxLine = 100
	// maxWaiting bounds the lines that wait to be said.
	maxWaiting = 16
	// heard is how long a line may take to come back from the server. A line of
	// which nothing was heard by then, good or bad, counts as said.
	heard = 500 * time.Millisecond
	// The pauses after the server found that too much is said.
	firstHush, lastHush = time.Second, 8 * time.Second
)

// What Say returns.
var (
	ErrChatFull = errors.New("too much is waiting to be said in the room")
	ErrRoomOver = errors.New("the room is over")

	errUnwanted = errors.New("nobody waits for the line any more")
)

// chat says lines with a pause between them, and says again what the server did
// not pass on because of its limits.
type chat struct {
	send    func(ctx context.Context, line string) error
	spacing time.Duration
	last    time.Time // when a line was sent; of run alone

	mu      sync.Mutex
	waiting []*line
	current *line         // is being said
	over    bool          // nothing is said any more
	added   chan struct{} // holds a token when something may be waiting
	echoes  chan string   // lines of ours that came back
	limits  chan struct{} // holds a token when the server wants less
}

// line is a line of chat. Done is closed when it was said, or never will be.
type line struct {
	text string
	done chan struct{}
	err  error
	// wanted is how many wait for it. A line that nobody waits for is not said.
	wanted int
}

func newChat(spacing time.Duration, send func(context.Context, string) error) *chat {
	return &chat{
		send: send, spacing: spacing,
		added: make(chan struct{}, 1), echoes: make(chan string, maxWaiting), limits: make(chan struct{}, 1),
	}
}

// say has a text said and waits until it was. Who asks for what is waiting
// already waits with it. Returns ErrChatFull, ErrRoomOver, or the error of ctx.
func (c *chat) say(ctx context.Context, text string) error {
	lines, err := c.add(breakLines(text, maxLine))
	if err != nil {
		return err
	}
	defer c.leave(lines)
	for _, l := range lines {
		select {
		case <-l.done:
			if l.err != nil {
				return l.err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (c *chat) add(texts []string) ([]*line, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.over:
		return nil, ErrRoomOver
	case len(c.waiting)+len(texts) > maxWaiting:
		return nil, ErrChatFull
	}
	lines := make([]*line, 0, len(texts))
	for _, text := range texts {
		l := c.find(text)
		if l == nil {
			l = &line{text: text, done: make(chan struct{})}
			c.waiting = append(c.waiting, l)
		}
		l.wanted++
		lines = append(lines, l)
	}
	token(c.added)
	return lines, nil
}

func (c *chat) find(text string) *line {
	if c.current != nil && c.current.text == text {
		return c.current
	}
	if i := slices.IndexFunc(c.waiting, func(l *line) bool { return l.text == text }); i >= 0 {
		return c.waiting[i]
	}
	return nil
}

func (c *chat) leave(lines []*line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range lines {
		l.wanted--
	}
}

func (c *chat) unwanted(l *line) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return l.wanted == 0
}

// run says what is added until ctx ends.
func (c *chat) run(ctx context.Context) error {
	for {
		l := c.next()
		if l == nil {
			select {
			case <-ctx.Done():
				return c.end(ctx.Err())
			case <-c.added:
			}
			continue
		}
		l.err = c.utter(ctx, l)
		c.finish(l)
	}
}

func (c *chat) next() *line {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		return nil
	}
	c.current = c.waiting[0]
	c.waiting = slices.Delete(c.waiting, 0, 1)
	return c.current
}

func (c *chat) finish(l *line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = nil
	close(l.done)
}

// end gives up what is waiting.
func (c *chat) end(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.waiting {
		l.err = ErrRoomOver
		close(l.done)
	}
	c.waiting, c.over = nil, true
	return err
}

// utter says one line, as often as it takes and somebody wants it.
func (c *chat) utter(ctx context.Context, l *line) error {
	for hush := firstHush; ; hush = min(2*hush, lastHush) {
		if err := pause(ctx, time.Until(c.last.Add(c.spacing))); err != nil {
			return ErrRoomOver
		}
		if c.unwanted(l) {
			return errUnwanted
		}
		c.forget()
		c.last = time.Now()
		if err := c.send(ctx, l.text); err != nil {
			return ErrRoomOver
		}
		passed, err := c.await(ctx, l.text)
		if err != nil {
			return ErrRoomOver
		}
		if passed {
			return nil
		}
		if err := pause(ctx, hush); err != nil {
			return ErrRoomOver
		}
	}
}

// await tells whether the line was passed on to the room.
func (c *chat) await(ctx context.Context, text string) (bool, error) {
	late := time.NewTimer(heard)
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-c.limits:
			return false, nil
		case <-late.C:
			return true, nil
		case echo := <-c.echoes:
			if echo == text {
				return true, nil
			}
		}
	}
}

// forget drops what was heard before the line that is about to be said.
func (c *chat) forget() {
	for {
		select {
		case <-c.echoes:
		case <-c.limits:
		default:
			return
		}
	}
}

// echoed notes that the room has seen a line of ours.
func (c *chat) echoed(text string) {
	select {
	case c.echoes <- text:
	default: // nobody waits for that many
	}
}

// limited notes that the server did not pass a line on.
func (c *chat) limited() { token(c.limits) }

func token(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// breakLines breaks a text into lines of at most limit characters: after
// sentences where it can, else between words, else anywhere.
func breakLines(text string, limit int) []string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	var lines []string
	for utf8.RuneCountInString(text) > limit {
		head := string([]rune(text)[:limit+1]) // one more, which may be the space to break at
		end := len(string([]rune(text)[:limit]))
		if sentence := strings.LastIndex(head, ". "); sentence > 0 {
			end = sentence + 1
		} else if word := strings.LastIndex(head, " "); word > 0 {
			end = word
		}
		lines = append(lines, strings.TrimSpace(text[:end]))
		text = strings.TrimSpace(text[end:])
	}
	if text != "" {
		lines = append(lines, text)
	}
	return lines
}
