package bonkio

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
)

const spacing = 700 * time.Millisecond

// chatServer is the server of a room's chat. It records what is sent, and when.
type chatServer struct {
	chat *chat
	room context.Context // ends with the room
	// lost and limited report whether the n-th line is lost, or refused for a limit.
	lost, limited func(n int) bool
	began         time.Time
	sent          []sentLine
}

type sentLine struct {
	Text  string
	After time.Duration
}

func (s *chatServer) send(_ context.Context, line string) error {
	s.sent = append(s.sent, sentLine{line, time.Since(s.began)})
	switch n := len(s.sent); {
	case s.limited != nil && s.limited(n):
		offer(s.chat.limits, struct{}{})
	case s.lost == nil || !s.lost(n):
		offer(s.chat.echoes, line)
	}
	return nil
}

// inChat runs a test in a room's chat, within synctest.
func inChat(t *testing.T, test func(t *testing.T, s *chatServer, end func())) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &chatServer{began: time.Now()}
		s.chat = newChat(spacing, s.send)
		room, end := context.WithCancel(t.Context())
		defer end()
		s.room = room
		test(t, s, end)
	})
}

func upTo(last int) func(int) bool { return func(n int) bool { return n <= last } }

func TestChat_say(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name          string
		lost, limited func(int) bool
		say           []string
		want          []sentLine
		err           error // of the last text
	}{
		{name: "spacing between lines", say: []string{"a", "b", "c"}, want: []sentLine{{"a", 0}, {"b", spacing}, {"c",
			2 * spacing}}},
		{name: "line without an echo is sent again after 2 s", lost: upTo(2), say: []string{"a", "b"},
			want: []sentLine{{"a", 0}, {"a", 2 * time.Second}, {"a", 4 * time.Second}, {"b", 4*time.Second + spacing}}},
		{name: "three lines without an echo", lost: upTo(3), say: []string{"a"}, want: []sentLine{{"a", 0}, {"a",
			2 * time.Second}, {"a", 4 * time.Second}}, err: ErrNoEcho},
		{name: "limit with growing pauses", limited: upTo(3), say: []string{"a", "b"}, want: []sentLine{{"a", 0}, {"a",
			time.Second}, {"a", 3 * time.Second}, {"a", 6 * time.Second}, {"b", 6*time.Second + spacing}}},
		{name: "limit that does not end", limited: upTo(99), say: []string{"a"}, want: []sentLine{{"a", 0}, {"a",
			time.Second}, {"a", 3 * time.Second}, {"a", 6 * time.Second}}, err: ErrChatLimited},
		{
			name: "long text",
			say:  []string{"Your login code is 042917. " + strings.Repeat("Never pass it on. ", 6)},
			want: []sentLine{
				{"Your login code is 042917. Never pass it on. Never pass it on. Never pass it on. Never pass it on.",
					0},
				{"Never pass it on. Never pass it on.", spacing},
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			inChat(t, func(t *testing.T, s *chatServer, _ func()) {
				t.Helper()
				s.lost, s.limited = c.lost, c.limited
				var err error
				for _, text := range c.say {
					err = s.chat.say(t.Context(), s.room, text)
				}
				if !errors.Is(err, c.err) {
					t.Errorf("got %v, want %v", err, c.err)
				}
				assert.Equal(t, "sent", c.want, s.sent)
			})
		})
	}
}

func TestChat_say_ends(t *testing.T) {
	t.Parallel()
	t.Run("end of the context", func(t *testing.T) {
		t.Parallel()
		inChat(t, func(t *testing.T, s *chatServer, _ func()) {
			t.Helper()
			s.limited = upTo(2)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			if err := s.chat.say(ctx, s.room, "a"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			require.NoError(t, s.chat.say(t.Context(), s.room, "b"))
			want := []sentLine{{"a", 0}, {"a", time.Second}, {"b", 2 * time.Second}}
			assert.Equal(t, "sent", want, s.sent)
		})
	})
	t.Run("end of the room", func(t *testing.T) {
		t.Parallel()
		inChat(t, func(t *testing.T, s *chatServer, end func()) {
			t.Helper()
			s.lost = upTo(99)
			results := make(chan error, 2)
			for _, text := range []string{"a", "b"} {
				go func() { results <- s.chat.say(t.Context(), s.room, text) }()
			}
			synctest.Wait()
			end()
			for range 2 {
				if err := <-results; !errors.Is(err, ErrRoomEnded) {
					t.Errorf("got %v", err)
				}
			}
		})
	})
}

func TestBreakLines(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, text string
		want       []string
	}{
		{"short text", "Hello.", []string{"Hello."}},
		{"blank text", " \n ", nil},
		{"line breaks and control characters", "a\r\nb\x00c\u2028d", []string{"a b c d"}},
		{"after a sentence", "One two. Three four.", []string{"One two.", "Three four."}},
		{"between words", "one two three four", []string{"one two", "three four"}},
		{"within a word", "abcdefghijklmnop", []string{"abcdefghijkl", "mnop"}},
		{"characters of two bytes", "ääääääääääääää", []string{"ääääääääääää", "ää"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, "lines", c.want, breakLines(c.text, 12))
		})
	}
}

func TestBreakLines_keeps_a_code_whole(t *testing.T) {
	t.Parallel()
	const code = "042917"
	for before := range 200 {
		text := strings.TrimSpace(strings.Repeat("x", before)+" ") + " " + code + ". Never pass it on."
		if !slices.ContainsFunc(breakLines(text, maxLine),
			func(line string) bool { return strings.Contains(line, code) }) {
			t.Fatalf("after %d characters the code is broken", before)
		}
	}
}
