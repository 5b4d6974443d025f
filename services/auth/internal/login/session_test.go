package login_test

import (
	"slices"
	"testing"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/login"
)

// step is something that happens in or to a session's room.
type step func(t *testing.T, b *bundle)

func player(name string) step { return func(_ *testing.T, b *bundle) { b.bot.join(name, false) } }
func guest() step             { return func(_ *testing.T, b *bundle) { b.bot.join("Guest", true) } }
func leaves(visit int64) step { return func(_ *testing.T, b *bundle) { b.bot.leave(visit) } }
func renames(visit int64) step {
	return func(_ *testing.T, b *bundle) { b.bot.rename(visit) }
}
func roomEnds(kind event.RoomReportKind) step {
	return func(_ *testing.T, b *bundle) { b.bot.end(kind) }
}
func passes(d time.Duration) step { return func(_ *testing.T, b *bundle) { b.clock.Pass(d) } }
func rightCode() step {
	return func(t *testing.T, b *bundle) {
		t.Helper()
		if _, err := b.verify(t, b.code(t)); err != nil {
			t.Errorf("the right code was refused: %v", err)
		}
	}
}

func wrongCodes(n int) step {
	return func(t *testing.T, b *bundle) {
		t.Helper()
		for range n {
			if _, err := b.verify(t, b.wrongCode(t)); err == nil {
				t.Error("a wrong code was taken")
			}
		}
	}
}

var scenarios = []struct {
	name  string
	steps []step
	state login.State
	why   login.Reason
	codes int
}{
	{"the room is empty", nil, login.Pending, login.Waiting, 0},
	{"a player comes", []step{player("cloudstep")}, login.CodeProvided, login.CodeDelivered, 1},
	{"a player comes and leaves with the code", []step{player("cloudstep"), leaves(1)}, login.CodeProvided,
		login.CodeDelivered, 1},
	{"a guest comes", []step{guest()}, login.Pending, login.GuestCame, 0},
	{"a guest comes, leaves, and comes as a player", []step{guest(), leaves(1), player("cloudstep")},
		login.CodeProvided, login.CodeDelivered, 1},
	{"a player comes while a guest is there", []step{guest(), player("cloudstep")}, login.Pending, login.GuestCame, 0},
	{"a player comes while a guest is there, who leaves", []step{guest(), player("cloudstep"), leaves(1)},
		login.CodeProvided, login.CodeDelivered, 1},
	{"two guests come one after the other", []step{guest(), leaves(1), guest()}, login.Pending, login.GuestCame, 0},
	{"a guest comes after the player", []step{player("cloudstep"), guest()}, login.Invalid, login.SecondVisitor, 1},
	{"a guest comes after the player has left", []step{player("cloudstep"), leaves(1), guest()}, login.Invalid,
		login.SecondVisitor, 1},
	{"a second player comes", []step{player("cloudstep"), player("mossfoot")}, login.Invalid, login.SecondVisitor, 1},
	{"a second player comes after the first has left", []step{player("cloudstep"), leaves(1), player("mossfoot")},
		login.Invalid, login.SecondVisitor, 1},
	{"the same player comes twice", []step{player("cloudstep"), leaves(1), player("cloudstep")}, login.Invalid,
		login.SecondVisitor, 1},
	{"the player takes another name", []step{player("cloudstep"), renames(1)}, login.Invalid, login.Renamed, 1},
	{"a guest takes another name", []step{guest(), renames(1)}, login.Invalid, login.Renamed, 0},
	{"the room is lost", []step{player("cloudstep"), roomEnds(event.RoomLost)}, login.Failed, login.RoomLost, 1},
	{"the room is closed too soon", []step{roomEnds(event.RoomClosed)}, login.Failed, login.RoomClosed, 0},
	{"no visitor in time", []step{passes(login.Lifetime)}, login.Timeout, login.TooLate, 0},
	{"a player just in time", []step{passes(login.Lifetime - time.Second), player("cloudstep")}, login.CodeProvided,
		login.CodeDelivered, 1},
	{"a player too late", []step{passes(login.Lifetime), player("cloudstep")}, login.Timeout, login.TooLate, 0},
	{"the code is not entered in time", []step{player("cloudstep"), passes(login.Lifetime)}, login.Timeout,
		login.TooLate, 1},
	{"the room ends with the session", []step{passes(login.Lifetime), roomEnds(event.RoomClosed)}, login.Timeout,
		login.TooLate, 0},
	{"the right code", []step{player("cloudstep"), rightCode()}, login.Success, login.LoggedIn, 1},
	{"the right code of a player who has left", []step{player("cloudstep"), leaves(1), rightCode()}, login.Success,
		login.LoggedIn, 1},
	{"the right code of a player who came as a guest first", []step{guest(), leaves(1), player("cloudstep"),
		rightCode()}, login.Success, login.LoggedIn, 1},
	{"the right code after four wrong ones", []step{player("cloudstep"), wrongCodes(4), rightCode()}, login.Success,
		login.LoggedIn, 1},
	{"four wrong codes", []step{player("cloudstep"), wrongCodes(4)}, login.CodeProvided, login.CodeDelivered, 1},
	{"five wrong codes", []step{player("cloudstep"), wrongCodes(5)}, login.Failed, login.TriesUsedUp, 1},
	{"success stays success when somebody comes later", []step{player("cloudstep"), rightCode(), player("mossfoot")},
		login.Success, login.LoggedIn, 1},
	{"success stays success when the time is over", []step{player("cloudstep"), rightCode(), passes(login.Lifetime)},
		login.Success, login.LoggedIn, 1},
	{"a void session stays void", []step{player("cloudstep"), player("mossfoot"), roomEnds(event.RoomLost)},
		login.Invalid, login.SecondVisitor, 1},
}

func TestSession(t *testing.T) {
	t.Parallel()
	for _, tt := range scenarios {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, times := range []int{1, 2} { // reports may come twice
				b := setup(t)
				b.begin(t)
				var all []event.RoomReport
				for _, step := range tt.steps {
					step(t, b)
					all = append(all, b.bot.reports...)
					b.deliver(t)
					for range times - 1 {
						b.bot.reports = slices.Clone(all)
						b.deliver(t)
					}
				}
				b.isAsItMustBe(t, tt.state, tt.why, tt.codes)
			}
		})
	}
}

// Events of a room may arrive in any order: once all have arrived,
// there is one outcome, and at most one code was ever delivered.
func TestSession_apply_in_any_order(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		steps []step
		state login.State
		why   login.Reason
		codes int
	}{
		{"a guest, then a player", []step{guest(), leaves(1), player("cloudstep")}, login.CodeProvided,
			login.CodeDelivered, 1},
		{"a player among guests", []step{guest(), leaves(1), guest(), leaves(2), player("cloudstep")},
			login.CodeProvided, login.CodeDelivered, 1},
		{"a guest who stays", []step{guest(), player("cloudstep")}, login.Pending, "", 0},
		{"a player who has left before the code was delivered", []step{player("cloudstep"), leaves(1)}, login.Pending,
			login.Waiting, 0},
		{"two players", []step{player("cloudstep"), leaves(1), player("mossfoot")}, login.Invalid, login.SecondVisitor, 0},
		{"two players at once", []step{player("cloudstep"), player("mossfoot")}, login.Invalid, login.SecondVisitor, 0},
		{"a guest after the player", []step{player("cloudstep"), leaves(1), guest(), leaves(2)}, login.Invalid,
			login.SecondVisitor, 0},
		{"another name", []step{player("cloudstep"), renames(1)}, login.Invalid, login.Renamed, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for order := range permutations(reportsOf(t, tt.steps)) {
				b := setup(t)
				b.begin(t)
				for _, step := range tt.steps {
					step(t, b)
				}
				b.bot.reports = order
				b.deliver(t)
				b.isAsItMustBe(t, tt.state, tt.why, tt.codes)
			}
		})
	}
}

func (b *bundle) isAsItMustBe(t *testing.T, state login.State, why login.Reason, codes int) {
	t.Helper()
	status := b.state(t)
	if status.State != state || (why != "" && status.Reason != why) {
		t.Errorf("the session is %s (%s), want %s (%s)", status.State, status.Reason, state, why)
	}
	if status.Message == "" {
		t.Errorf("%s has no sentence", status.Reason)
	}
	if said := b.bot.codes(); len(said) != codes {
		t.Errorf("codes in the chat: %v, want %d", said, codes)
	}
	if over := login.IsFinal(state) && state != login.Timeout; over && b.bot.view.Open {
		t.Error("the session is over and the room is open")
	}
	if (status.RemainingLifetime > 0) != (state == login.Pending || state == login.CodeProvided) {
		t.Errorf("a session that is %s lives for %s", state, status.RemainingLifetime)
	}
}

func reportsOf(t *testing.T, steps []step) []event.RoomReport {
	t.Helper()
	b := setup(t)
	b.begin(t)
	for _, step := range steps {
		step(t, b)
	}
	return b.bot.reports
}

// permutations yields every order of list.
func permutations[T any](list []T) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		var rest func(chosen, left []T) bool
		rest = func(chosen, left []T) bool {
			if len(left) == 0 {
				return yield(chosen)
			}
			for i := range left {
				next := append(slices.Clone(chosen), left[i])
				if !rest(next, slices.Delete(slices.Clone(left), i, i+1)) {
					return false
				}
			}
			return true
		}
		rest(nil, list)
	}
}
