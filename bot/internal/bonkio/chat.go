package bonkio

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// maxLine is the largest length of a line of chat, in characters. Longer texts are broken into several lines.
	maxLine = 100
	// echoTimeout is how long the server may take to send a line back.
	echoTimeout = 2 * time.Second
	// sendAttempts is how often a line without an echo is sent.
	sendAttempts = 3
	// sayTimeout bounds one call of say. It is shorter than the time that auth waits for the answer,
	// and does not end together with a pause after a limit.
	sayTimeout = 8500 * time.Millisecond
	// The pauses after the game refused a line because of a limit: the first one, and the longest.
	firstLimitPause, maxLimitPause = time.Second, 3 * time.Second
)

// The errors of Say.
var (
	ErrRoomEnded   = errors.New("the room has ended")
	ErrNoEcho      = errors.New("the game did not pass the line on")
	ErrChatLimited = errors.New("the game's limit of chat lines did not end in time")

	errLineLimited = errors.New("the game refused the line because of a limit")
)

// chat sends lines, one at a time. A line has arrived when the server sends it back to its author.
// A status that names a limit, right after a line, refuses it.
type chat struct {
	send    func(ctx context.Context, line string) error
	spacing time.Duration

	turn     chan struct{} // holds a token while no line is being sent
	lastSent time.Time     // guarded by turn
	echoes   chan string   // the host's lines that the server sent back
	limits   chan struct{} // holds a token after a status that names a limit
}

func newChat(spacing time.Duration, send func(context.Context, string) error) *chat {
	c := &chat{
		send: send, spacing: spacing,
		turn: make(chan struct{}, 1), echoes: make(chan string, 16), limits: make(chan struct{}, 1),
	}
	c.turn <- struct{}{}
	return c
}

// say sends a text and returns when its last line has come back. room ends with the room. It
// returns ErrRoomEnded, ErrNoEcho, ErrChatLimited, or the error of ctx.
func (c *chat) say(ctx, room context.Context, text string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, sayTimeout, ErrChatLimited)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(room, func() { end(ErrRoomEnded) })()
	select {
	case <-c.turn:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { c.turn <- struct{}{} }()
	for _, line := range breakLines(text, maxLine) {
		if err := c.sendLine(ctx, line); err != nil {
			return err
		}
	}
	return nil
}

// sendLine sends a line until its echo arrives.
func (c *chat) sendLine(ctx context.Context, line string) error {
	limitPause := firstLimitPause
	for attempt := 1; ; {
		if err := pause(ctx, time.Until(c.lastSent.Add(c.spacing))); err != nil {
			return err
		}
		c.discardOld()
		c.lastSent = time.Now()
		if err := c.send(ctx, line); err != nil {
			return ErrRoomEnded
		}
		switch err := c.awaitEcho(ctx, line); {
		case errors.Is(err, errLineLimited):
			if err := pause(ctx, limitPause); err != nil {
				return err
			}
			limitPause = min(2*limitPause, maxLimitPause)
		case errors.Is(err, ErrNoEcho) && attempt < sendAttempts:
			attempt++
		default:
			return err
		}
	}
}

// awaitEcho waits for a line to come back. It returns ErrNoEcho, errLineLimited or the cause of the end of ctx.
func (c *chat) awaitEcho(ctx context.Context, line string) error {
	timeout := time.NewTimer(echoTimeout)
	defer timeout.Stop()
	for {
		select {
		case echo := <-c.echoes:
			if echo == line {
				return nil
			}
		case <-c.limits:
			return errLineLimited
		case <-timeout.C:
			return ErrNoEcho
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// discardOld drops echoes and limits of earlier lines.
func (c *chat) discardOld() {
	for {
		select {
		case <-c.echoes:
		case <-c.limits:
		default:
			return
		}
	}
}

// breakLines breaks a text into lines of at most limit characters: after
// sentences where it can, else between words, else anywhere.
func breakLines(text string, limit int) []string {
	isBlank := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	text = strings.Join(strings.FieldsFunc(text, isBlank), " ")
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
