package login

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"capzone.dev/platform/event"
)

// errBeingSaid has a report come again while another process is saying the code.
var errBeingSaid = errors.New("the code is being said elsewhere")

// Report takes in what a bot saw in a room, at least once and in any order. The
// one registered player gets a code, a guest gets told, whoever comes besides
// the player voids the session. An error has the report come again.
func (s *Service) Report(ctx context.Context, r event.RoomReport) error {
	session, err := s.Sessions.Change(ctx, r.Session, func(session *Session) error {
		if session.Room.ID == r.Room && session.Room.Bot == r.Bot {
			session.note(r, s.Now())
		}
		return nil
	})
	room := Room{Bot: r.Bot, ID: r.Room}
	switch {
	case errors.Is(err, ErrSessionUnknown):
		// Nobody was given the room's link, or the store has lost its memory.
		s.leave(ctx, r, room, textGone)
		return nil
	case err != nil:
		return err
	case session.Room.ID != r.Room || session.Room.Bot != r.Bot:
		return nil
	case session.ended(s.Now()):
		reason := session.Status(s.Now()).Reason
		s.Log.DebugContext(ctx, "report of a login that is over", "session", session.ID, "kind", r.Kind, "reason", reason)
		s.leave(ctx, r, room, farewell(reason))
		return nil
	}
	return s.attend(ctx, session)
}

// leave closes a room in which something happened although its session is over.
func (s *Service) leave(ctx context.Context, r event.RoomReport, room Room, text string) {
	if r.Kind != event.RoomClosed && r.Kind != event.RoomLost {
		s.closeRoom(ctx, room, text)
	}
}

// attend says in the room what is to be said now.
func (s *Service) attend(ctx context.Context, session Session) error {
	if guest := session.untoldGuest(); guest != 0 {
		return s.tellGuest(ctx, session, guest)
	}
	if session.wantsCode() {
		return s.provideCode(ctx, session)
	}
	if c := session.Code; c != nil && !c.Said {
		return s.awaitSaid(ctx, session)
	}
	return nil
}

// tellGuest may tell twice when it is called twice at once, which does no harm.
func (s *Service) tellGuest(ctx context.Context, session Session, guest int64) error {
	if err := s.say(ctx, session.Room, textGuest); err != nil && !errors.Is(err, ErrRoomGone) {
		return err
	}
	_, err := s.Sessions.Change(ctx, session.ID, func(session *Session) error {
		session.GuestTold = max(session.GuestTold, guest)
		return nil
	})
	return err
}

// provideCode makes the session's code and has it said. Before that the bot is
// asked who is there, because an older report may still be on its way: a guest
// in the room would read the code. The MAC is kept first, so that of several
// calls at once only one has a code to say.
func (s *Service) provideCode(ctx context.Context, session Session) error {
	view, err := s.view(ctx, session.Room)
	if err != nil {
		return err
	}
	code, err := s.Coder.New()
	if err != nil {
		return err
	}
	mac := s.Coder.MAC(session.ID, code)
	session, err = s.Sessions.Change(ctx, session.ID, func(session *Session) error {
		session.giveCode(mac, view, s.Now())
		return nil
	})
	switch {
	case err != nil:
		return err
	case session.ended(s.Now()):
		s.closeRoom(ctx, session.Room, farewell(session.Status(s.Now()).Reason))
		return nil
	case session.Code == nil:
		return nil // whoever leaves or comes next is reported, too
	case !bytes.Equal(session.Code.MAC, mac):
		return s.awaitSaid(ctx, session)
	}
	return s.sayCode(ctx, session, code)
}

// sayCode has the code said. Nobody else knows it, so where this fails the
// session has failed. What came of it is kept also where ctx has ended meanwhile.
func (s *Service) sayCode(ctx context.Context, session Session, code string) error {
	said := s.sayUntil(ctx, session, textWithCode(code))
	_, err := s.Sessions.Change(context.WithoutCancel(ctx), session.ID, func(session *Session) error {
		if said == nil {
			session.said(s.Now())
		} else {
			session.abandonCode(s.Now())
		}
		return nil
	})
	if said != nil {
		s.Log.WarnContext(ctx, "code was not said", "session", session.ID, "error", said)
		s.closeRoom(ctx, session.Room, textOver)
	}
	if err != nil {
		return fmt.Errorf("code of session %s: %w", session.ID, err)
	}
	return nil
}

const (
	sayTries = 3
	sayPause = 300 * time.Millisecond
)

// sayUntil tries a few times: the same code, so that the room never sees two.
func (s *Service) sayUntil(ctx context.Context, session Session, text string) error {
	for try := 1; ; try++ {
		err := s.say(ctx, session.Room, text)
		if err == nil || try == sayTries || errors.Is(err, ErrRoomGone) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(sayPause):
		}
	}
}

// awaitSaid has the report come again until whoever made the code has said it,
// or is taken for dead.
func (s *Service) awaitSaid(ctx context.Context, session Session) error {
	if session.Code.Said {
		return nil
	}
	if s.Now().Before(session.Code.MadeAt.Add(telling)) {
		return errBeingSaid
	}
	session, err := s.Sessions.Change(ctx, session.ID, func(session *Session) error {
		session.abandonCode(s.Now())
		return nil
	})
	if err != nil {
		return err
	}
	if session.ended(s.Now()) {
		s.closeRoom(ctx, session.Room, textOver)
	}
	return nil
}

func (s *Service) say(ctx context.Context, room Room, text string) error {
	ctx, cancel := context.WithTimeout(ctx, sayTimeout)
	defer cancel()
	return s.Bots.Say(ctx, room, text)
}

func (s *Service) view(ctx context.Context, room Room) (event.RoomView, error) {
	ctx, cancel := context.WithTimeout(ctx, stateTimeout)
	defer cancel()
	return s.Bots.State(ctx, room)
}
