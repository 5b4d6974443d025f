package login

import (
	"context"
	"encoding/json"
	"errors"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// maxSkin is the size of the largest skin that is handed on, in bytes.
const maxSkin = 16 << 10

// Verify compares the code that was read in the room. The try is counted before
// the comparison, so that no number of parallel tries is more than MaxTries; the
// right code is given its try back where the login fails for reasons of ours.
// Of two right codes at once one wins. Returns the registered player, or
// ErrCodeMalformed, ErrSessionUnknown, ErrNotThisBrowser, ErrNoCodeYet,
// ErrCodeWrong, ErrSessionOver, ErrRoomSilent or ErrStoreAway, or what Players
// returns.
func (s *Service) Verify(ctx context.Context, sessionID, code string, held Key) (event.PlayerState, error) {
	if !wellFormed(code) {
		return event.PlayerState{}, ErrCodeMalformed
	}
	if _, err := s.mine(ctx, sessionID, held); err != nil {
		return event.PlayerState{}, err
	}
	session, err := s.Sessions.Change(ctx, sessionID, func(session *Session) error {
		return session.countTry(s.Now())
	})
	if err != nil {
		return event.PlayerState{}, err
	}
	if !s.Coder.Right(&session, code) {
		return event.PlayerState{}, s.wrong(ctx, session)
	}
	player, err := s.prove(ctx, session)
	if p := problem.From(err); p != nil && (p.Kind == problem.KindUnavailable || p.Kind == problem.KindInternal) {
		return event.PlayerState{}, s.sorry(ctx, session, err)
	}
	return player, err
}

// wrong answers a wrong code, and ends the session at the last one.
func (s *Service) wrong(ctx context.Context, session Session) error {
	left := MaxTries - session.Tries
	if left <= 0 {
		ended, err := s.Sessions.Change(ctx, session.ID, func(session *Session) error {
			if !session.ended(s.Now()) {
				session.end(Failed, TriesUsedUp)
			}
			return nil
		})
		if err != nil {
			return err
		}
		s.closeRoom(ctx, ended.Room, farewell(ended.Status(s.Now()).Reason))
	}
	return ErrCodeWrong.WithData("triesLeft", left)
}

// sorry gives the right code its try back and returns err.
func (s *Service) sorry(ctx context.Context, session Session, err error) error {
	_, changeErr := s.Sessions.Change(context.WithoutCancel(ctx), session.ID, func(session *Session) error {
		session.returnTry()
		return nil
	})
	if changeErr != nil {
		s.Log.WarnContext(ctx, "try was not given back", "session", session.ID, "error", changeErr)
	}
	return err
}

// prove goes the way from the right code to the registered player.
func (s *Service) prove(ctx context.Context, session Session) (event.PlayerState, error) {
	owner, err := s.confirmRoom(ctx, session)
	if err != nil {
		return event.PlayerState{}, err
	}
	player, err := s.register(ctx, session, owner)
	if err != nil {
		return event.PlayerState{}, err
	}
	// A bot may have reported something else since.
	if _, err := s.Sessions.Change(ctx, session.ID, func(session *Session) error {
		return session.succeed(s.Now())
	}); err != nil {
		return event.PlayerState{}, err
	}
	s.Log.InfoContext(ctx, "player logged in", "session", session.ID, "player", player.ID)
	s.closeRoom(ctx, session.Room, textProven)
	return player, nil
}

// confirmRoom asks the bot who is and who ever was in the room, so that a late
// report of a second visitor cannot be outrun.
func (s *Service) confirmRoom(ctx context.Context, session Session) (event.Visitor, error) {
	view, err := s.view(ctx, session.Room)
	if err != nil {
		return event.Visitor{}, ErrRoomSilent.Because(err)
	}
	var owner event.Visitor
	changed, err := s.Sessions.Change(ctx, session.ID, func(session *Session) (err error) {
		owner, err = session.confirm(view, s.Now())
		return err
	})
	if errors.Is(err, ErrSessionOver) {
		s.closeRoom(ctx, session.Room, farewell(changed.Status(s.Now()).Reason))
	}
	return owner, err
}

// register makes the owner of the code a player. Whoever is refused for good
// cannot log in with another try either.
func (s *Service) register(ctx context.Context, session Session, owner event.Visitor) (event.PlayerState, error) {
	if !usableSkin(owner.Skin) {
		owner.Skin = nil
	}
	player, err := s.Players.Register(ctx, owner)
	refusal := problem.From(err)
	if refusal == nil || (refusal.Kind != problem.KindForbidden && refusal.Kind != problem.KindRefused) {
		return player, err
	}
	_, changeErr := s.Sessions.Change(ctx, session.ID, func(session *Session) error {
		if !session.ended(s.Now()) {
			session.end(Failed, NotAllowed)
		}
		return nil
	})
	s.closeRoom(ctx, session.Room, textRefused)
	return event.PlayerState{}, errors.Join(err, changeErr)
}

// usableSkin tells whether a skin is an object of a fit size. The login does not
// depend on it.
func usableSkin(skin json.RawMessage) bool {
	var object map[string]json.RawMessage
	return len(skin) <= maxSkin && json.Unmarshal(skin, &object) == nil && object != nil
}
