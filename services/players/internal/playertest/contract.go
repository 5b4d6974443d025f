package playertest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
)

// Store is everything that keeps players.
type Store interface {
	player.Finder
	player.Editor
	player.NamedEditor
	player.PairEditor
	player.Profiles
	player.Searcher
}

// Contract tests what every store of players keeps. open returns an empty store
// and a function that tells what its changes have left behind.
func Contract(t *testing.T, open func(t *testing.T) (Store, func() Left)) {
	t.Helper()
	for name, test := range map[string]func(subject){
		"an unknown player is ErrUnknown":                    subject.unknownPlayer,
		"what was stored is found, by id and by name":        subject.roundTrip,
		"an edit raises the version and stores its effects":  subject.editHasEffects,
		"an edit that alters nothing leaves no effects":      subject.editOfNothing,
		"an edit that fails leaves no effects":               subject.editThatFails,
		"edits of one player do not overlap":                 subject.editsAtOnce,
		"one name has one player, also when asked for twice": subject.namesAtOnce,
		"a merged player is found as the other":              subject.merged,
		"a merged player is not changed any more":            subject.mergedIsFinal,
		"an edit of two that fails leaves no effects":        subject.failedPair,
		"a former name is whose it is now":                   subject.nameTaken,
		"merges and logins at once keep names apart":         subject.mergesAtOnce,
		"a search finds any part of a name":                  subject.searchFinds,
		"a search sorts and cuts pages":                      subject.searchSorts,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, left := open(t)
			test(subject{T: t, store: store, left: left})
		})
	}
}

// subject is a store under test.
type subject struct {
	*testing.T

	store Store
	left  func() Left
}

func (s subject) unknownPlayer() {
	for _, id := range []string{"0198c2f4-0000-7000-8000-000000000000", "", "1", "'; drop table players; --", "\x00"} {
		if _, err := s.store.ByID(s.Context(), id); !errors.Is(err, player.ErrUnknown) {
			s.Errorf("ByID(%q) returned %v", id, err)
		}
		_, err := s.store.Edit(s.Context(), id, func(*player.Player) (player.Effects, error) { return player.Effects{}, nil })
		if !errors.Is(err, player.ErrUnknown) {
			s.Errorf("Edit(%q) returned %v", id, err)
		}
	}
	if _, err := s.store.ByName(s.Context(), "nobody"); !errors.Is(err, player.ErrUnknown) {
		s.Errorf("ByName returned %v", err)
	}
	wantLeft(s.T, Left{}, s.left())
}

func (s subject) roundTrip() {
	stored := edit(s.T, s.store, "Zéro", func(p *player.Player) {
		p.Level, p.Skin, p.SkinColor = 12, []byte(`{"bc":255}`), "#0000ff"
		p.Roles, p.Registered = []string{"admin", "map maker"}, true
		p.Banned, p.BanReason = true, "edited replays"
	})
	if stored.ID == "" || stored.Version != 1 || stored.Name != "Zéro" || stored.CreatedAt.IsZero() {
		s.Errorf("stored %+v", stored)
	}
	byID, err := s.store.ByID(s.Context(), stored.ID)
	if err != nil {
		s.Fatal(err)
	}
	if diff := cmp.Diff(stored, byID); diff != "" {
		s.Errorf("found by id (-stored +found):\n%s", diff)
	}
	byName, err := s.store.ByName(s.Context(), " ZE\u0301RO ")
	if err != nil {
		s.Fatal(err)
	}
	if diff := cmp.Diff(stored, byName); diff != "" {
		s.Errorf("found by name (-stored +found):\n%s", diff)
	}
	if p, err := s.store.ByName(s.Context(), "zero"); !errors.Is(err, player.ErrUnknown) {
		s.Errorf("without its accent it is another name, but found %+v, %v", p, err)
	}
}

func (s subject) editHasEffects() {
	made := edit(s.T, s.store, "a", func(*player.Player) {})
	entry := player.AuditEntry{Actor: "operator", Action: "ban player", Reason: "why", Details: map[string]any{"role": "x"}}
	fact := event.PlayerBanned{PlayerID: made.ID, Reason: "why"}
	banned, err := s.store.Edit(s.Context(), made.ID, func(p *player.Player) (player.Effects, error) {
		p.Banned, p.BanReason = true, "why"
		return player.Effects{Facts: []event.Fact{fact}, Audit: &entry}, nil
	})
	if err != nil {
		s.Fatal(err)
	}
	if banned.Version != 2 || !banned.UpdatedAt.After(made.UpdatedAt) && !banned.UpdatedAt.Equal(made.UpdatedAt) || !banned.CreatedAt.Equal(made.CreatedAt) {
		s.Errorf("the edit made %+v of %+v", banned, made)
	}
	wantLeft(s.T, Left{
		States: []event.PlayerState{made.State(), banned.State()},
		Facts:  []event.Fact{fact},
		Audit:  []player.AuditEntry{entry},
	}, s.left())
}

func (s subject) editOfNothing() {
	made := edit(s.T, s.store, "a", func(*player.Player) {})
	again, err := s.store.Edit(s.Context(), made.ID, func(*player.Player) (player.Effects, error) {
		return player.Effects{Audit: &player.AuditEntry{Actor: "operator", Action: "nothing"}}, nil
	})
	if err != nil {
		s.Fatal(err)
	}
	if diff := cmp.Diff(made, again); diff != "" {
		s.Errorf("player (-before +after):\n%s", diff)
	}
	wantLeft(s.T, Left{States: []event.PlayerState{made.State()}}, s.left())
}

func (s subject) editThatFails() {
	refused := errors.New("refused")
	_, err := s.store.EditNamed(s.Context(), "a", func(p *player.Player) (player.Effects, error) {
		p.Level = 3
		return player.Effects{}, refused
	})
	if !errors.Is(err, refused) {
		s.Errorf("returned %v", err)
	}
	if _, err := s.store.ByName(s.Context(), "a"); !errors.Is(err, player.ErrUnknown) {
		s.Errorf("the player was made all the same: %v", err)
	}
	wantLeft(s.T, Left{}, s.left())
}

func (s subject) editsAtOnce() {
	const times = 16
	made := edit(s.T, s.store, "a", func(*player.Player) {})
	atOnce(s.T, times, func(ctx context.Context, _ int) error {
		_, err := s.store.Edit(ctx, made.ID, func(p *player.Player) (player.Effects, error) {
			p.Level++
			return player.Effects{}, nil
		})
		return err
	})
	p, err := s.store.ByID(s.Context(), made.ID)
	if err != nil {
		s.Fatal(err)
	}
	if p.Level != times || p.Version != times+1 {
		s.Errorf("after %d edits the level is %d and the version %d", times, p.Level, p.Version)
	}
	for i, state := range s.left().States {
		if state.Version != int64(i+1) || state.Level != i {
			s.Errorf("state %d has version %d and level %d", i, state.Version, state.Level)
		}
	}
}

func (s subject) namesAtOnce() {
	const times = 16
	ids := make([]string, times)
	atOnce(s.T, times, func(ctx context.Context, i int) error {
		name := "CloudStep"
		if i%2 == 0 {
			name = strings.ToUpper(name)
		}
		p, err := s.store.EditNamed(ctx, name, func(*player.Player) (player.Effects, error) { return player.Effects{}, nil })
		ids[i] = p.ID
		return err
	})
	for _, id := range ids {
		if id != ids[0] {
			s.Errorf("several players were made: %q", ids)
		}
	}
	if states := s.left().States; len(states) != 1 {
		s.Errorf("%d states were published, want 1", len(states))
	}
}

func (s subject) searchFinds() {
	for _, name := range []string{"Anna", "HANNAH", "Ännchen", "bob_★", "100%", "雲a", "an"} {
		edit(s.T, s.store, name, func(p *player.Player) { p.Registered = true })
	}
	edit(s.T, s.store, "annabel", func(*player.Player) {}) // a placeholder
	for _, tt := range []struct {
		term string
		want []string
	}{
		{"", []string{"100%", "an", "Anna", "Ännchen", "bob_★", "HANNAH", "雲a"}},
		{"  ", []string{"100%", "an", "Anna", "Ännchen", "bob_★", "HANNAH", "雲a"}},
		{"A", []string{"an", "Anna", "Ännchen"}},
		{"an", []string{"an", "Anna", "Ännchen"}},
		{"ann", []string{"Anna", "Ännchen", "HANNAH"}},
		{"ÁNNA", []string{"Anna", "HANNAH"}},
		{"hannah", []string{"HANNAH"}},
		{" hannah ", []string{"HANNAH"}},
		{"hannahh", nil},
		{"nnahan", nil},
		{"bo", []string{"bob_★"}},
		{"b_★", []string{"bob_★"}},
		{"00%", []string{"100%"}},
		{"雲", []string{"雲a"}},
		// Nothing that is searched for finds nothing.
		{"\u0301", nil},
		// One or two characters match at the beginnings of words.
		{"_", nil},
		{"%", nil},
		{"x", nil},
		{"\\", nil},
		{"annabel", nil},
	} {
		page, total, err := s.store.Search(s.Context(), player.Query{Name: tt.term, Sort: player.ByName, Limit: 100})
		if err != nil {
			s.Fatalf("search for %q: %v", tt.term, err)
		}
		if diff := cmp.Diff(tt.want, names(page)); diff != "" {
			s.Errorf("search for %q (-want +got):\n%s", tt.term, diff)
		}
		if total != int64(len(tt.want)) {
			s.Errorf("search for %q counts %d, want %d", tt.term, total, len(tt.want))
		}
	}
}

func (s subject) searchSorts() {
	for i, name := range []string{"cc-runner", "Aa-runner", "dd-runner", "Éé-runner", "bb-runner"} {
		edit(s.T, s.store, name, func(p *player.Player) { p.Registered, p.Level = true, i/2 })
	}
	const byLevel = "cc-runner Aa-runner dd-runner Éé-runner bb-runner"
	for _, tt := range []struct {
		sort       player.Sort
		descending bool
		limit      int
		offset     int
		want       string
	}{
		{player.ByName, false, 10, 0, "Aa-runner bb-runner cc-runner dd-runner Éé-runner"},
		{player.ByName, true, 10, 0, "Éé-runner dd-runner cc-runner bb-runner Aa-runner"},
		{player.ByName, false, 2, 0, "Aa-runner bb-runner"},
		{player.ByName, false, 2, 2, "cc-runner dd-runner"},
		{player.ByName, false, 2, 4, "Éé-runner"},
		{player.ByName, false, 2, 6, ""},
		{player.ByLevel, false, 10, 0, byLevel},
		{player.ByLevel, true, 10, 0, "bb-runner Éé-runner dd-runner Aa-runner cc-runner"},
		{player.ByCreated, false, 3, 0, "cc-runner Aa-runner dd-runner"},
		{player.ByUpdated, true, 2, 0, "bb-runner Éé-runner"},
	} {
		for _, term := range []string{"", "run", "runner"} {
			q := player.Query{Name: term, Sort: tt.sort, Descending: tt.descending, Limit: tt.limit, Offset: tt.offset}
			page, total, err := s.store.Search(s.Context(), q)
			if err != nil {
				s.Fatalf("%+v: %v", q, err)
			}
			if diff := cmp.Diff(tt.want, strings.Join(names(page), " ")); diff != "" {
				s.Errorf("%+v (-want +got):\n%s", q, diff)
			}
			if total != 5 {
				s.Errorf("%+v counts %d, want 5", q, total)
			}
		}
	}
}

func edit(t *testing.T, store player.NamedEditor, name string, alter func(p *player.Player)) player.Player {
	t.Helper()
	p, err := store.EditNamed(t.Context(), name, func(p *player.Player) (player.Effects, error) {
		alter(p)
		return player.Effects{}, nil
	})
	if err != nil {
		t.Fatalf("edit %q: %v", name, err)
	}
	return p
}

func atOnce(t *testing.T, times int, do func(ctx context.Context, i int) error) {
	t.Helper()
	var group sync.WaitGroup
	for i := range times {
		group.Go(func() {
			if err := do(t.Context(), i); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func wantLeft(t *testing.T, want, got Left) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("left behind (-want +got):\n%s", diff)
	}
}

func names(page []player.Profile) []string {
	var list []string
	for _, p := range page {
		list = append(list, p.Name)
	}
	return list
}
