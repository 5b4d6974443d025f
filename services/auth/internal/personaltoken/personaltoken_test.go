package personaltoken_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/personaltoken"
	"capzone.dev/services/auth/internal/session"
)

func TestTokens_Create(t *testing.T) {
	t.Parallel()
	b := setup(t)
	raw, created, err := b.Create(t.Context(), by, personaltoken.New{
		Name: " My bot 🏃 ", Scopes: []access.Scope{access.ScopeFollows, access.ScopeSubmitRecords}, Days: 30,
	})
	require.NoError(t, err)
	if !personal.HasForm(raw) || created.Hash != personal.HashOf(raw) {
		t.Errorf("%q is stored as %x", raw, created.Hash)
	}
	want := personaltoken.Token{
		PlayerID: cloudstep.ID, Name: "My bot 🏃", Scopes: []access.Scope{access.ScopeSubmitRecords, access.ScopeFollows},
		CreatedAt: noon, ExpiresAt: noon.AddDate(0, 0, 30),
	}
	ignored := cmpopts.IgnoreFields(personaltoken.Token{}, "ID", "Hash")
	if diff := cmp.Diff(want, created, ignored); diff != "" {
		t.Errorf("token (-want +got):\n%s", diff)
	}
	listed, err := b.List(t.Context(), actor)
	if diff := cmp.Diff([]personaltoken.Token{created}, listed); diff != "" || err != nil {
		t.Errorf("list (-want +got): %v\n%s", err, diff)
	}
	exchanged, err := b.exchange(raw)
	if diff := cmp.Diff(event.ExchangedToken{
		AccessToken: "cloudstep by My bot 🏃 until 2026-05-11 12:05:00", ExpiresAt: noon.Add(5 * time.Minute),
		TokenID: created.ID, Scopes: created.Scopes,
	}, exchanged); diff != "" || err != nil {
		t.Errorf("exchange (-want +got): %v\n%s", err, diff)
	}
	stored := pgtest.Value[string](t, b.pool, `select row_to_json(personal_tokens)::text from personal_tokens`)
	if strings.Contains(stored, raw) || strings.Contains(stored, raw[3:]) {
		t.Errorf("the database has the token: %s", stored)
	}
}

func TestTokens_Create_refused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	follows := []access.Scope{access.ScopeFollows}
	for _, tt := range []struct {
		name   string
		asked  personaltoken.New
		fields []string
	}{
		{"everything", personaltoken.New{}, []string{"name", "scopes", "expiresInDays"}},
		{"an invisible name", personaltoken.New{Name: "\u2800", Scopes: follows, Days: 1}, []string{"name"}},
		{"a line break", personaltoken.New{Name: "a\nb", Scopes: follows, Days: 1}, []string{"name"}},
		{"a long name", personaltoken.New{Name: strings.Repeat("é", 51), Scopes: follows, Days: 1}, []string{"name"}},
		{"an unknown scope", personaltoken.New{Name: "a", Scopes: []access.Scope{"admin"}, Days: 1}, []string{"scopes"}},
		{"a scope twice", personaltoken.New{Name: "a", Scopes: append(follows, follows...), Days: 1}, []string{"scopes"}},
		{"no day", personaltoken.New{Name: "a", Scopes: follows}, []string{"expiresInDays"}},
		{"366 days", personaltoken.New{Name: "a", Scopes: follows, Days: 366}, []string{"expiresInDays"}},
	} {
		_, _, err := b.Create(t.Context(), by, tt.asked)
		var fields []string
		for _, f := range problem.From(err).Fields {
			fields = append(fields, f.Field)
		}
		if diff := cmp.Diff(tt.fields, fields); diff != "" || !errors.Is(err, personaltoken.ErrMalformed) {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
	for _, name := range []string{"a", strings.Repeat("é", 50)} {
		if _, _, err := b.Create(t.Context(), by, personaltoken.New{Name: name, Scopes: follows, Days: 365}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, _, err := b.Create(t.Context(), access.Attribution{Actor: access.Player(uuid.NewString(), "nobody", nil)},
		personaltoken.New{Name: "a", Scopes: follows, Days: 1}); !errors.Is(err, access.ErrForbidden) {
		t.Errorf("an unknown player: %v", err)
	}
}

// However many are asked for at once, a player has ten tokens at most. One that is revoked or has expired makes room.
func TestTokens_Create_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all errgroup.Group
	var mu sync.Mutex
	created, refused := []personaltoken.Token{}, 0
	for range 30 {
		all.Go(func() error {
			_, one, err := b.tryCreate(1)
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, personaltoken.ErrFull) {
				refused++
				return nil
			}
			created = append(created, one)
			return err
		})
	}
	require.NoError(t, all.Wait())
	if len(created) != 10 || refused != 20 {
		t.Errorf("%d made, %d refused, want 10 and 20", len(created), refused)
	}
	require.NoError(t, b.Revoke(t.Context(), by, created[0].ID))
	b.create(2)
	b.pass(24 * time.Hour)
	for range 9 {
		b.create(1)
	}
	if listed, err := b.List(t.Context(), actor); err != nil || len(listed) != 10 {
		t.Errorf("%d are listed, %v", len(listed), err)
	}
}

func TestTokens_Revoke(t *testing.T) {
	t.Parallel()
	b := setup(t)
	raw, created := b.create(30)
	other := event.PlayerState{ID: uuid.NewString(), Version: 1, Name: "mossfoot", Registered: true}
	b.apply(other)
	for name, tt := range map[string]struct {
		by access.Actor
		id string
	}{
		"of another player": {access.Player(other.ID, other.Name, nil), created.ID},
		"unknown":           {actor, uuid.NewString()},
		"no id":             {actor, "cz_"},
	} {
		if err := b.Revoke(t.Context(), access.Attribution{Actor: tt.by}, tt.id); !errors.Is(err, personaltoken.ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b.wantExchange(raw, nil)
	require.NoError(t, b.Revoke(t.Context(), by, created.ID))
	b.wantExchange(raw, personaltoken.ErrInvalid)
	if err := b.Revoke(t.Context(), by, created.ID); !errors.Is(err, personaltoken.ErrUnknown) {
		t.Errorf("again: %v", err)
	}
	if diff := cmp.Diff([]string{created.ID}, b.announced()); diff != "" {
		t.Errorf("announced (-want +got):\n%s", diff)
	}
}

func TestTokens_ExchangeToken_of_an_expired_token(t *testing.T) {
	t.Parallel()
	b := setup(t)
	raw, _ := b.create(1)
	b.pass(24*time.Hour - time.Minute)
	exchanged, err := b.exchange(raw)
	if want := noon.Add(24 * time.Hour); err != nil || !exchanged.ExpiresAt.Equal(want) {
		t.Errorf("a minute before: until %v, %v, want %v", exchanged.ExpiresAt, err, want)
	}
	b.pass(time.Minute)
	b.wantExchange(raw, personaltoken.ErrInvalid)
	b.wantExchange(personal.NewToken(), personaltoken.ErrInvalid)
}

// The day of the last use is written once a day.
func TestTokens_ExchangeToken_marks_the_day(t *testing.T) {
	t.Parallel()
	b := setup(t)
	raw, _ := b.create(30)
	version := func() (writes string) {
		return pgtest.Value[string](t, b.pool, `select xmin::text from personal_tokens`)
	}
	day := func() string {
		t.Helper()
		listed, err := b.List(t.Context(), actor)
		if err != nil || len(listed) != 1 {
			t.Fatal(listed, err)
		}
		if listed[0].LastUsedOn.IsZero() {
			return ""
		}
		return listed[0].LastUsedOn.Format(time.DateOnly)
	}
	if got := day(); got != "" {
		t.Errorf("before: %s", got)
	}
	b.wantExchange(raw, nil)
	first := version()
	b.pass(11 * time.Hour)
	b.wantExchange(raw, nil)
	if got := day(); got != "2026-05-11" || version() != first {
		t.Errorf("on the same day: %s, written again: %t", got, version() != first)
	}
	b.pass(2 * time.Hour)
	b.wantExchange(raw, nil)
	if got := day(); got != "2026-05-12" {
		t.Errorf("on the next day: %s", got)
	}
}

// A ban and a merge revoke all tokens in the transaction that stores them, also where a login brings them.
func TestTokens_of_players_who_are_banned_merged_or_deleted(t *testing.T) {
	t.Parallel()
	banned, merged := cloudstep, cloudstep
	banned.Version, banned.Banned, banned.Ban = 2, true, &event.Ban{}
	merged.Version, merged.Removed, merged.MergedInto = 2, true, uuid.NewString()
	deleted := event.PlayerState{ID: cloudstep.ID, Version: 2, Name: "deleted player 0001", Deleted: true}
	for _, tt := range []struct {
		name  string
		state event.PlayerState
		learn func(b *bundle, p event.PlayerState)
		want  error
	}{
		{"banned", banned, (*bundle).apply, access.ErrForbidden},
		{"merged", merged, (*bundle).apply, access.ErrForbidden},
		{"deleted", deleted, (*bundle).apply, access.ErrDeleted},
		{"banned before a login", banned, func(b *bundle, p event.PlayerState) {
			first := session.Token{CreatedAt: noon, ExpiresAt: noon.Add(time.Hour)}
			require.NoError(t, b.store.Start(t.Context(), session.Family{ID: uuid.NewString(), PlayerID: p.ID}, first, p))
		}, access.ErrForbidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			rawA, a := b.create(30)
			_, c := b.create(30)
			tt.learn(b, tt.state)
			b.wantExchange(rawA, personaltoken.ErrInvalid)
			if diff := cmp.Diff([]string{a.ID, c.ID}, b.announced(), cmpopts.SortSlices(strings.Compare)); diff != "" {
				t.Errorf("announced (-want +got):\n%s", diff)
			}
			_, _, err := b.tryCreate(1)
			if !errors.Is(err, tt.want) {
				t.Errorf("a new one: %v, want %v", err, tt.want)
			}
			if tt.state.Removed || tt.state.Deleted {
				return
			}
			lifted := tt.state
			lifted.Version, lifted.Banned, lifted.Ban = 3, false, nil
			b.apply(lifted)
			b.wantExchange(rawA, personaltoken.ErrInvalid)
			b.create(1)
		})
	}
}

// A ban and new tokens at once leave no valid token.
func TestTokens_Create_during_a_ban(t *testing.T) {
	t.Parallel()
	b := setup(t)
	banned := cloudstep
	banned.Version, banned.Banned, banned.Ban = 2, true, &event.Ban{}
	var all sync.WaitGroup
	for n := range 12 {
		all.Go(func() {
			if n == 6 {
				b.apply(banned)
				return
			}
			_, _, err := b.tryCreate(1)
			if err != nil && !errors.Is(err, access.ErrForbidden) && !errors.Is(err, personaltoken.ErrFull) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := pgtest.Value[int](t, b.pool, `select count(*) from personal_tokens where revoked_at is null`); n != 0 {
		t.Errorf("%d tokens are valid", n)
	}
}

// A token is deleted 30 days after its end.
func TestTokens_Revoke_and_purge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, revoked := b.create(365)
	_, _ = b.create(10)
	require.NoError(t, b.Revoke(t.Context(), by, revoked.ID))
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{30 * 24 * time.Hour, 0}, {time.Minute, 1}, {10 * 24 * time.Hour, 1}, {time.Hour, 0}} {
		b.pass(tt.after)
		if n, err := b.store.PurgePersonalTokens(t.Context(), b.now); err != nil || n != tt.want {
			t.Errorf("after another %v: %d removed, %v, want %d", tt.after, n, err, tt.want)
		}
	}
}

func TestOwner_CheckCreate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		owner personaltoken.Owner
		want  error
	}{
		{"the first", personaltoken.Owner{}, nil},
		{"the last", personaltoken.Owner{Tokens: personaltoken.MaxPerPlayer - 1}, nil},
		{"one too many", personaltoken.Owner{Tokens: personaltoken.MaxPerPlayer}, personaltoken.ErrFull},
		{"by who is banned", personaltoken.Owner{Player: event.PlayerState{Banned: true}}, access.ErrForbidden},
		{"by who is removed", personaltoken.Owner{Player: event.PlayerState{Removed: true}}, access.ErrForbidden},
		{"by who is deleted", personaltoken.Owner{Player: event.PlayerState{Deleted: true}}, access.ErrDeleted},
	} {
		if err := tt.owner.CheckCreate(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestCauseOf(t *testing.T) {
	t.Parallel()
	for want, p := range map[personaltoken.Cause]event.PlayerState{
		"": {}, personaltoken.ByBan: {Banned: true}, personaltoken.ByMerge: {Removed: true},
		personaltoken.ByDeletion: {Deleted: true, Banned: true},
	} {
		if got := personaltoken.CauseOf(p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

func TestTokens_ExchangeToken_of_malformed_hashes(t *testing.T) {
	t.Parallel()
	service := &personaltoken.Tokens{} // without a store, which it does not ask for a malformed hash
	for _, hash := range [][]byte{nil, make([]byte, 31), make([]byte, 33)} {
		_, err := service.ExchangeToken(t.Context(), event.ExchangeToken{Hash: hash})
		if !errors.Is(err, personaltoken.ErrHashMalformed) {
			t.Errorf("exchange of %d bytes: %v", len(hash), err)
		}
	}
}
