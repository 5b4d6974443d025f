package redis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/services/auth/internal/login"
)

// A session is a hash of its JSON and of a revision, which each change raises.
const (
	revisionField = "revision"
	sessionField  = "session"
)

func key(id string) string { return "capzone:login:session:" + id }

// createScript stores a new session that expires after so many milliseconds.
var createScript = goredis.NewScript(`
	redis.call('HSET', KEYS[1], 'revision', '1', 'session', ARGV[1])
	return redis.call('PEXPIRE', KEYS[1], ARGV[2])`)

// Create implements login.Sessions.
func (s *Store) Create(ctx context.Context, session login.Session) error {
	body, err := encode(&session)
	if err != nil {
		return err
	}
	left := session.ForgetAt().Sub(s.now())
	if err := createScript.Run(ctx, s.client, []string{key(session.ID)}, body, left.Milliseconds()).Err(); err != nil {
		return unavailable("create session", session.ID, err)
	}
	return nil
}

// Get implements login.Sessions.
func (s *Store) Get(ctx context.Context, id string) (login.Session, error) {
	session, _, _, err := s.read(ctx, id)
	return session, err
}

// replaceScript stores a session if it still has the revision that the change began with.
// The session expires after so many milliseconds: a change may prolong it.
var replaceScript = goredis.NewScript(`
	if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[1] then
		return 0
	end
	redis.call('HSET', KEYS[1], 'session', ARGV[2])
	redis.call('HINCRBY', KEYS[1], 'revision', 1)
	redis.call('PEXPIRE', KEYS[1], ARGV[3])
	return 1`)

// changeAttempts is far more than the changes of a session that can be under way at once.
const changeAttempts = 200

// Change implements login.Sessions.
func (s *Store) Change(ctx context.Context, id string, change func(*login.Session) error) (login.Session, error) {
	for range changeAttempts {
		session, revision, before, err := s.read(ctx, id)
		if err != nil {
			return login.Session{}, err
		}
		refusal := change(&session)
		after, err := encode(&session)
		if err != nil {
			return login.Session{}, err
		}
		if after == before {
			return session, refusal
		}
		left := session.ForgetAt().Sub(s.now()).Milliseconds()
		replaced, err := replaceScript.Run(ctx, s.client, []string{key(id)}, revision, after, left).Int()
		if err != nil {
			return login.Session{}, unavailable("change session", id, err)
		}
		if replaced == 1 {
			return session, refusal
		}
	}
	return login.Session{}, login.ErrStoreUnavailable.Wrap(fmt.Errorf("session %s changes all the time", id))
}

// read returns a session, its revision and its JSON.
func (s *Store) read(ctx context.Context, id string) (session login.Session, revision, body string, err error) {
	values, err := s.client.HMGet(ctx, key(id), revisionField, sessionField).Result()
	if err != nil {
		return login.Session{}, "", "", unavailable("read session", id, err)
	}
	revision, hasRevision := values[0].(string)
	body, hasBody := values[1].(string)
	if !hasRevision || !hasBody {
		return login.Session{}, "", "", login.ErrSessionUnknown
	}
	session, err = decode(id, body)
	if err != nil {
		return login.Session{}, "", "", err
	}
	// A test server whose clock stands still expires nothing.
	if !s.now().Before(session.ForgetAt()) {
		return login.Session{}, "", "", login.ErrSessionUnknown
	}
	return session, revision, body, nil
}

func unavailable(what, id string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return login.ErrStoreUnavailable.Wrap(fmt.Errorf("%s %s: %w", what, id, err))
}

// stored is a session as Redis has it.
type stored struct {
	Browser        []byte          `json:"browser"`
	Bot            string          `json:"bot"`
	Address        string          `json:"address"`
	Room           string          `json:"room"`
	Link           string          `json:"link"`
	State          login.State     `json:"state"`
	Reason         login.Reason    `json:"reason"`
	CreatedAt      time.Time       `json:"createdAt"`
	ExpiresAt      time.Time       `json:"expiresAt"`
	OpeningAt      time.Time       `json:"openingAt,omitzero"`
	Seen           []storedVisitor `json:"seen,omitempty"`
	Position       int             `json:"place,omitempty"`
	PositionReport int64           `json:"placeReport,omitempty"`
	GuestNotified  int64           `json:"guestTold,omitempty"`
	Code           *storedCode     `json:"code,omitempty"`
	Tries          int             `json:"tries,omitempty"`
}

type storedVisitor struct {
	Visit int64  `json:"visit"`
	Name  string `json:"name"`
	Guest bool   `json:"guest,omitempty"`
}

type storedCode struct {
	MAC       []byte        `json:"mac"`
	Owner     storedVisitor `json:"owner"`
	MadeAt    time.Time     `json:"madeAt"`
	Delivered bool          `json:"said,omitempty"`
}

func encode(s *login.Session) (string, error) {
	kept := stored{
		Browser: s.Browser[:], Address: s.Address, Bot: s.Room.Bot, Room: s.Room.ID, Link: s.Room.Link,
		State: s.State, Reason: s.Reason, CreatedAt: s.CreatedAt.UTC(), ExpiresAt: s.ExpiresAt.UTC(),
		OpeningAt: s.OpeningAt.UTC(),
		Position:  s.Position, PositionReport: s.PositionReport,
		GuestNotified: s.GuestNotified, Tries: s.Tries,
	}
	for _, v := range s.Seen {
		kept.Seen = append(kept.Seen, storedVisitor(v))
	}
	if c := s.Code; c != nil {
		kept.Code = &storedCode{MAC: c.MAC, Owner: storedVisitor(c.Owner), MadeAt: c.MadeAt.UTC(),
			Delivered: c.Delivered}
	}
	body, err := json.Marshal(kept)
	if err != nil {
		return "", fmt.Errorf("session %s: %w", s.ID, err)
	}
	return string(body), nil
}

func decode(id, body string) (login.Session, error) {
	var kept stored
	if err := json.Unmarshal([]byte(body), &kept); err != nil {
		return login.Session{}, fmt.Errorf("session %s: %w", id, err)
	}
	s := login.Session{
		ID: id, Address: kept.Address, Room: login.Room{Bot: kept.Bot, ID: kept.Room, Link: kept.Link},
		State: kept.State, Reason: kept.Reason, CreatedAt: kept.CreatedAt, ExpiresAt: kept.ExpiresAt,
		OpeningAt: kept.OpeningAt,
		Position:  kept.Position, PositionReport: kept.PositionReport,
		GuestNotified: kept.GuestNotified, Tries: kept.Tries,
	}
	if copy(s.Browser[:], kept.Browser) != len(s.Browser) {
		return login.Session{}, fmt.Errorf("session %s: the browser's digest is too short", id)
	}
	for _, v := range kept.Seen {
		s.Seen = append(s.Seen, login.Visitor(v))
	}
	if c := kept.Code; c != nil {
		s.Code = &login.Code{MAC: c.MAC, Owner: login.Visitor(c.Owner), MadeAt: c.MadeAt, Delivered: c.Delivered}
	}
	return s, nil
}
