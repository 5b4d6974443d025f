package redis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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
	err = createScript.Run(ctx, s.client, []string{key(session.ID)}, body, left.Milliseconds()).Err()
	return unavailable("create session", session.ID, err)
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
	return login.Session{}, login.ErrStoreUnavailable.Wrap(fmt.Errorf("session %s changed at every attempt", id))
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
	session.ID = id
	if err := json.Unmarshal([]byte(body), &session); err != nil {
		return login.Session{}, "", "", fmt.Errorf("session %s: %w", id, err)
	}
	// A test server whose clock stands still expires nothing.
	if !s.now().Before(session.ForgetAt()) {
		return login.Session{}, "", "", login.ErrSessionUnknown
	}
	return session, revision, body, nil
}

// unavailable returns login.ErrStoreUnavailable for an error of Redis. No error and a canceled request stay.
func unavailable(what, id string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return login.ErrStoreUnavailable.Wrap(fmt.Errorf("%s %s: %w", what, id, err))
}

// encode returns a session as Redis has it.
func encode(s *login.Session) (string, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("session %s: %w", s.ID, err)
	}
	return string(body), nil
}
