package bonkio

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

const spacing = 700 * time.Millisecond

// wall is a room's server as the chat meets it: it writes down what is sent, and when.
type wall struct {
	chat *chat
	// passes says whether the n-th line sent is passed on; nil passes all.
	passes func(n int) bool
	mute   bool // what is passed on does not come back
	began  time.Time
	sent   []sentLine
}

type sentLine struct {
	Text  string
	After time.Duration
}

func (w *wall) send(_ context.Context, line string) error {
	w.sent = append(w.sent, sentLine{line, time.Since(w.began)})
	switch {
	case w.passes != nil && !w.passes(len(w.sent)):
		w.chat.limited()
	case !w.mute:
		w.chat.echoed(line)
	}
	return nil
}

// inChat runs a test in a room's chat, with a clock of its own.
func inChat(t *testing.T, test func(t *testing.T, w *wall)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &wall{began: time.Now()}
		w.chat = newChat(spacing, w.send)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			_ = w.chat.run(ctx)
			close(ended)
		}()
		test(t, w)
		stop()
		<-ended
	})
}

func TestLinesAreSaidOneAfterTheOther(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		mute   bool
		passes func(int) bool
		say    []string
		want   []sentLine
	}{
		{"the first at once, the next after the spacing", false, nil, []string{"a", "b", "c"}, []sentLine{{"a", 0}, {"b", spacing}, {"c", 2 * spacing}}},
		{"also when none comes back", true, nil, []string{"a", "b"}, []sentLine{{"a", 0}, {"b", spacing}}},
		{
			"what is not passed on is said again, later and later", false, func(n int) bool { return n > 3 },
			[]string{"a", "b"},
			[]sentLine{{"a", 0}, {"a", time.Second}, {"a", 3 * time.Second}, {"a", 7 * time.Second}, {"b", 7*time.Second + spacing}},
		},
		{
			"a long text is said in lines", false, nil, []string{"Your login code is 042917. " + strings.Repeat("Never pass it on. ", 6)},
			[]sentLine{
				{"Your login code is 042917. Never pass it on. Never pass it on. Never pass it on. Never pass it on.", 0},
				{"Never pass it on. Never pass it on.", spacing},
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			inChat(t, func(t *testing.T, w *wall) {
				t.Helper()
				w.mute, w.passes = c.mute, c.passes
				for _, text := range c.say {
					if err := w.chat.say(t.Context(), text); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(c.want, w.sent); diff != "" {
					t.Errorf("said (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestWhatNobodyWaitsForIsNotSaidAgain(t *testing.T) {
	t.Parallel()
	inChat(t, func(t *testing.T, w *wall) {
		t.Helper()
		w.passes = func(n int) bool { return n > 2 }
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if err := w.chat.say(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if err := w.chat.say(t.Context(), "b"); err != nil {
			t.Fatal(err)
		}
		want := []sentLine{{"a", 0}, {"a", time.Second}, {"b", 3 * time.Second}}
		if diff := cmp.Diff(want, w.sent); diff != "" {
			t.Errorf("said (-want +got):\n%s", diff)
		}
	})
}

func TestWhatIsSaidTwiceAtOnceIsSaidOnce(t *testing.T) {
	t.Parallel()
	inChat(t, func(t *testing.T, w *wall) {
		t.Helper()
		w.passes = func(n int) bool { return n > 2 }
		errs := make(chan error)
		for range 3 {
			go func() { errs <- w.chat.say(t.Context(), "Your code is 042917.") }()
		}
		for range 3 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if len(w.sent) != 3 { // twice in vain, then once
			t.Errorf("said %v", w.sent)
		}
	})
}

func TestTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	inChat(t, func(t *testing.T, w *wall) {
		t.Helper()
		w.passes = func(int) bool { return false }
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		full := false
		for i := range 3 * maxWaiting {
			go func() { _ = w.chat.say(ctx, strings.Repeat("x", i+1)) }()
			synctest.Wait()
			full = full || len(w.chat.waiting) == maxWaiting
		}
		if err := w.chat.say(t.Context(), "one more"); !full || !errors.Is(err, ErrChatFull) {
			t.Errorf("full %v: %v", full, err)
		}
	})
}

func TestTheEndOfARoomEndsTheWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newChat(spacing, func(context.Context, string) error { return nil })
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- c.run(ctx) }()
		said := make(chan error, 2)
		for _, text := range []string{"a", "b"} {
			go func() { said <- c.say(t.Context(), text) }()
		}
		synctest.Wait()
		stop()
		for range 2 {
			if err := <-said; !errors.Is(err, ErrRoomOver) {
				t.Errorf("got %v", err)
			}
		}
		<-ended
		if err := c.say(t.Context(), "afterwards"); !errors.Is(err, ErrRoomOver) {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestBreakLines(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, text string
		want       []string
	}{
		{"a short text is one line", "Hello.", []string{"Hello."}},
		{"nothing is none", " \n ", nil},
		{"line breaks and control characters are spaces", "a\r\nb\x00c\u2028d", []string{"a b c d"}},
		{"after a sentence", "One two. Three four.", []string{"One two.", "Three four."}},
		{"between words where no sentence ends", "one two three four", []string{"one two", "three four"}},
		{"anywhere where no word ends", "abcdefghijklmnop", []string{"abcdefghijkl", "mnop"}},
		{"characters are whole", "ääääääääääääää", []string{"ääääääääääää", "ää"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, breakLines(c.text, 12)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheCodeIsNeverBroken(t *testing.T) {
	t.Parallel()
	const code = "042917"
	for before := range 200 {
		text := strings.TrimSpace(strings.Repeat("x", before)+" ") + " " + code + ". Never pass it on."
		whole := false
		for _, line := range breakLines(text, maxLine) {
			whole = whole || strings.Contains(line, code)
		}
		if !whole {
			t.Fatalf("after %d characters the code is broken", before)
		}
	}
}
