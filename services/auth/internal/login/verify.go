package login

import (
	"context"
	"encoding/json"
	"errors"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/session"
)

// maxSkin is the size of the largest skin that is passed on, in bytes.
const maxSkin = 16 << 10

// Verify compares the code that was typed in. The try is counted before the comparison, so that no number of parallel
// tries is more than MaxTries; the right code is refunded its try where the login fails for reasons of ours. One of two
// right codes at once succeeds. The session of the site that the browser had until now, with previousRefreshToken, ends
// with the login. It returns ErrCodeMalformed, ErrSessionUnknown, ErrNotThisBrowser, ErrNoCodeYet, ErrCodeWrong,
// ErrSessionOver, ErrRoomSilent or ErrStoreUnavailable, or an error of Players and Grants.
func (s *Logins) Verify(
	ctx context.Context, sessionID, code string, browserKey Key, previousRefreshToken string,
) (session.Grant, error) {
	if !wellFormed(code) {
		return session.Grant{}, ErrCodeMalformed
	}
	if _, err := s.getOwn(ctx, sessionID, browserKey); err != nil {
		return session.Grant{}, err
	}
	tried, err := s.Sessions.Change(ctx, sessionID, func(stored *Session) error {
		return stored.countTry(s.Now())
	})
	if err != nil {
		return session.Grant{}, err
	}
	if !s.Coder.Matches(&tried, code) {
		return session.Grant{}, s.rejectCode(ctx, tried)
	}
	grant, err := s.completeLogin(ctx, tried)
	if p := problem.From(err); p != nil && (p.Kind == problem.KindUnavailable || p.Kind == problem.KindInternal) {
		return session.Grant{}, s.refundTry(ctx, tried, err)
	}
	if err != nil {
		return session.Grant{}, err
	}
	if err := s.Grants.End(ctx, previousRefreshToken); err != nil {
		s.Log.WarnContext(ctx, "the browser's previous session was not ended", "player", grant.Player.ID, "error", err)
	}
	return grant, nil
}

// rejectCode answers a wrong code, and ends the session at the last one.
func (s *Logins) rejectCode(ctx context.Context, tried Session) error {
	left := MaxTries - tried.Tries
	if left <= 0 {
		ended, err := s.Sessions.Change(ctx, tried.ID, func(stored *Session) error {
			if !stored.ended(s.Now()) {
				stored.end(Failed, TriesUsedUp)
			}
			return nil
		})
		if err != nil {
			return err
		}
		s.closeRoomLater(ctx, ended.Room, closingMessage(ended.Status(s.Now()).Reason))
	}
	return ErrCodeWrong.WithData("triesLeft", left)
}

// refundTry gives the right code its try back and returns err.
func (s *Logins) refundTry(ctx context.Context, tried Session, err error) error {
	_, changeErr := s.Sessions.Change(context.WithoutCancel(ctx), tried.ID, func(stored *Session) error {
		stored.refundTry()
		return nil
	})
	if changeErr != nil {
		s.Log.WarnContext(ctx, "a try with the right code still counts", "session", tried.ID, "error", changeErr)
	}
	return err
}

// completeLogin turns the right code into a session of the site. The login is consumed last,
// so that what fails before may be tried again.
func (s *Logins) completeLogin(ctx context.Context, tried Session) (session.Grant, error) {
	owner, err := s.confirmRoom(ctx, tried)
	if err != nil {
		return session.Grant{}, err
	}
	grant, err := s.admit(ctx, tried, owner)
	if err != nil {
		return session.Grant{}, err
	}
	// Meanwhile a report may have ended the session, or another try have succeeded.
	if _, err := s.Sessions.Change(ctx, tried.ID, func(stored *Session) error {
		return stored.succeed(s.Now())
	}); err != nil {
		// No browser was given the session, which expires if it cannot be ended.
		if err := s.Grants.End(context.WithoutCancel(ctx), grant.RefreshToken); err != nil {
			s.Log.WarnContext(ctx, "a session without a browser was not ended", "player", grant.Player.ID, "error", err)
		}
		return session.Grant{}, err
	}
	s.Log.InfoContext(ctx, "player logged in", "session", tried.ID, "player", grant.Player.ID)
	s.closeRoomLater(ctx, tried.Room, textLoggedIn)
	return grant, nil
}

// confirmRoom asks the bot who is and who ever was in the room, so that a late
// report of a second visitor is not missed.
func (s *Logins) confirmRoom(ctx context.Context, tried Session) (event.Visitor, error) {
	view, err := s.view(ctx, tried.Room)
	if err != nil {
		return event.Visitor{}, ErrRoomSilent.Wrap(err)
	}
	var owner event.Visitor
	changed, err := s.Sessions.Change(ctx, tried.ID, func(stored *Session) (err error) {
		owner, err = stored.confirm(view, s.Now())
		return err
	})
	if errors.Is(err, ErrSessionOver) {
		s.closeRoomLater(ctx, tried.Room, closingMessage(changed.Status(s.Now()).Reason))
	}
	return owner, err
}

// admit makes the owner of the code a player with a session of the site. A player who
// is refused permanently cannot log in with another try either.
func (s *Logins) admit(ctx context.Context, tried Session, owner event.Visitor) (session.Grant, error) {
	grant, err := s.start(ctx, owner)
	refusal := problem.From(err)
	if refusal == nil || (refusal.Kind != problem.KindForbidden && refusal.Kind != problem.KindUnprocessable) {
		return grant, err
	}
	_, changeErr := s.Sessions.Change(ctx, tried.ID, func(stored *Session) error {
		if !stored.ended(s.Now()) {
			stored.end(Failed, NotAllowed)
		}
		return nil
	})
	s.closeRoomLater(ctx, tried.Room, textRefused)
	return session.Grant{}, errors.Join(err, changeErr)
}

func (s *Logins) start(ctx context.Context, owner event.Visitor) (session.Grant, error) {
	if !usableSkin(owner.Skin) {
		owner.Skin = nil
	}
	player, err := s.Players.Register(ctx, owner)
	if err != nil {
		return session.Grant{}, err
	}
	return s.Grants.Start(ctx, player)
}

// usableSkin reports whether a skin is an object of an acceptable size. The login does not depend on it.
func usableSkin(skin json.RawMessage) bool {
	var object map[string]json.RawMessage
	return len(skin) <= maxSkin && json.Unmarshal(skin, &object) == nil && object != nil
}
