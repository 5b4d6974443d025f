package login

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// memory keeps sessions in a map. While away it keeps and knows nothing.
type memory struct {
	mu       sync.Mutex
	sessions map[string]Session
	away     bool
}

func (m *memory) Create(_ context.Context, s Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away {
		return ErrStoreUnavailable
	}
	m.sessions[s.ID] = s
	return nil
}

func (m *memory) Get(_ context.Context, id string) (Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.get(id)
}

func (m *memory) get(id string) (Session, error) {
	s, ok := m.sessions[id]
	switch {
	case m.away:
		return Session{}, ErrStoreUnavailable
	case !ok:
		return Session{}, ErrSessionUnknown
	}
	s.Seen = slices.Clone(s.Seen)
	return s, nil
}

func (m *memory) Change(_ context.Context, id string, change func(*Session) error) (Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.get(id)
	if err != nil {
		return Session{}, err
	}
	err = change(&s)
	m.sessions[id] = s
	return s, err
}

func (m *memory) setAway(away bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = away
}

var errSilent = errors.New("no answer")

// bot holds one room. It reports nothing by itself: a test takes what happened
// from reports and delivers it as it likes.
type bot struct {
	mu      sync.Mutex
	session string
	view    event.RoomView
	reports []event.RoomReport
	said    []string
	opened  int
	// silent has it answer nothing, mute only not speak.
	silent, mute bool
	lastWords    string
	// onSay is called when something is about to be said, onClose when a room is about to be closed.
	onSay   func(text string)
	onClose func()
}

const botID, roomID = "bot1", "room1"

func (b *bot) Open(_ context.Context, session string, _ time.Duration) (Room, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent {
		return Room{}, errSilent
	}
	b.opened++
	b.session = session
	b.view = event.RoomView{Room: roomID, Open: true}
	return Room{Bot: botID, ID: roomID, Link: fmt.Sprintf("https://game.test/%d", b.opened)}, nil
}

func (b *bot) Say(_ context.Context, _ Room, text string) error {
	if b.onSay != nil {
		b.onSay(text)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.silent || b.mute:
		return errSilent
	case !b.view.Open:
		return ErrRoomGone
	}
	b.said = append(b.said, text)
	return nil
}

func (b *bot) State(context.Context, Room) (event.RoomView, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent {
		return event.RoomView{}, errSilent
	}
	view := b.view
	view.Present, view.Seen = slices.Clone(view.Present), slices.Clone(view.Seen)
	return view, nil
}

func (b *bot) Close(_ context.Context, _ Room, text string) error {
	if b.onClose != nil {
		b.onClose()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent {
		return errSilent
	}
	if b.view.Open {
		b.view.Open, b.view.Present, b.lastWords = false, nil, text
	}
	return nil
}

func (b *bot) join(name string, guest bool) {
	v := event.Visitor{Visit: int64(len(b.view.Seen) + 1), Name: name, Guest: guest, Level: 7}
	b.view.Seen, b.view.Present = append(b.view.Seen, v), append(b.view.Present, v)
	b.report(event.RoomJoined, &v)
}

func (b *bot) leave(visit int64) {
	at := slices.IndexFunc(b.view.Present, func(v event.Visitor) bool { return v.Visit == visit })
	v := b.view.Present[at]
	b.view.Present = slices.Delete(slices.Clone(b.view.Present), at, at+1)
	b.report(event.RoomLeft, &v)
}

func (b *bot) rename(visit int64) {
	b.view.Renamed = true
	b.report(event.RoomRenamed, &b.view.Seen[visit-1])
}

func (b *bot) end(kind event.RoomReportKind) {
	b.view.Open, b.view.Present = false, nil
	b.report(kind, nil)
}

func (b *bot) report(kind event.RoomReportKind, v *event.Visitor) {
	b.reports = append(b.reports, event.RoomReport{
		Room: roomID, Bot: botID, Session: b.session, Number: int64(len(b.reports) + 1), Kind: kind, Visitor: v, At: noon,
	})
}

var digits = regexp.MustCompile(`\b[0-9]{6}\b`)

// codes are the codes that were said.
func (b *bot) codes() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var codes []string
	for _, text := range b.said {
		codes = append(codes, digits.FindAllString(text, -1)...)
	}
	return codes
}

// registry registers everybody, unless it has a problem.
type registry struct {
	mu         sync.Mutex
	problem    error
	registered []event.Visitor
}

func (r *registry) Register(_ context.Context, v event.Visitor) (event.PlayerState, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.problem != nil {
		return event.PlayerState{}, r.problem
	}
	r.registered = append(r.registered, v)
	return event.PlayerState{ID: "p1", Version: 1, Name: v.Name, Level: v.Level, Registered: true}, nil
}

// grants begins sessions of the site, unless it has a problem.
type grants struct {
	mu      sync.Mutex
	problem error
	started []string
	// ended are refresh tokens, in the order of their end.
	ended []string
}

func (g *grants) Start(_ context.Context, p event.PlayerState) (session.Grant, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.problem != nil {
		return session.Grant{}, g.problem
	}
	token := fmt.Sprintf("refresh%d", len(g.started)+1)
	g.started = append(g.started, token)
	return session.Grant{AccessToken: "access", RefreshToken: token, Player: p}, nil
}

func (g *grants) End(_ context.Context, token string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if token != "" {
		g.ended = append(g.ended, token)
	}
	return nil
}

// allowance allows so many rooms.
type allowance struct{ left int }

func (a *allowance) Allow(context.Context, string) error {
	if a.left == 0 {
		return ErrTooManyRooms.After(time.Minute)
	}
	a.left--
	return nil
}

// bundle is a service and what it stands on.
type bundle struct {
	*Service
	clock    *clock
	sessions *memory
	bot      *bot
	registry *registry
	grants   *grants
	rooms    *allowance
	ticket   Ticket
	logged   *safeBuffer
}

// safeBuffer collects what is logged.
type safeBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{
		clock:    &clock{now: noon},
		sessions: &memory{sessions: map[string]Session{}},
		bot:      &bot{},
		registry: &registry{},
		grants:   &grants{},
		rooms:    &allowance{left: 20},
		logged:   &safeBuffer{},
	}
	ids := 0
	b.Service = &Service{
		Sessions: b.sessions, Bots: b.bot, Limiter: b.rooms, Players: b.registry, Grants: b.grants,
		Coder: Coder{Secret: []byte("secret")},
		NewID: func() string { ids++; return fmt.Sprintf("session%d", ids) },
		Now:   b.clock.Now,
		Log:   slog.New(slog.NewTextHandler(b.logged, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	t.Cleanup(func() {
		b.Wait()
		for _, code := range b.bot.codes() {
			if strings.Contains(b.logged.String(), code) {
				t.Errorf("the code %s is in the log:\n%s", code, b.logged)
			}
		}
	})
	return b
}

// begin asks for a room.
func (b *bundle) begin(t *testing.T) {
	t.Helper()
	ticket, err := b.Request(t.Context(), Key{}, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	b.ticket = ticket
}

// deliver hands the reports that have not been delivered to the service.
func (b *bundle) deliver(t *testing.T) {
	t.Helper()
	reports := b.bot.reports
	b.bot.reports = nil
	for _, r := range reports {
		if err := b.Report(t.Context(), r); err != nil {
			t.Fatalf("report %d: %v", r.Number, err)
		}
	}
}

func (b *bundle) state(t *testing.T) Status {
	t.Helper()
	status, err := b.Status(t.Context(), b.ticket.SessionID, b.ticket.Key)
	if err != nil {
		t.Fatal(err)
	}
	return status
}

// code is the one code that was said.
func (b *bundle) code(t *testing.T) string {
	t.Helper()
	codes := b.bot.codes()
	if len(codes) != 1 {
		t.Fatalf("codes said: %v, want one", codes)
	}
	return codes[0]
}

func (b *bundle) wrongCode(t *testing.T) string {
	t.Helper()
	if b.code(t) == "000000" {
		return "000001"
	}
	return "000000"
}

// earlier is the refresh token that the browser holds before it logs in.
const earlier = "refresh0"

// verify tries a code and lets everything happen that follows.
func (b *bundle) verify(t *testing.T, code string) (session.Grant, error) {
	t.Helper()
	defer b.Wait()
	return b.try(t, code)
}

func (b *bundle) try(t *testing.T, code string) (session.Grant, error) {
	t.Helper()
	return b.Verify(t.Context(), b.ticket.SessionID, code, b.ticket.Key, earlier)
}
