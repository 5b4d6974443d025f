package login

import (
	"context"
	"errors"
	"time"

	"capzone.dev/platform/event"
)

// unknownSessionRetry is how long a report of an unknown session is retried: it may have
// overtaken the session's creation.
const unknownSessionRetry = 5 * time.Second

// Report applies a bot's report about a room. It is called at least once for each report, in any
// order. The one registered player gets a code, a guest is asked to log in to an account, and any
// further visitor voids the session. After an error the report is delivered again.
func (s *Logins) Report(ctx context.Context, r event.RoomReport) error {
	entered := false
	session, err := s.Sessions.Change(ctx, r.Session, func(session *Session) error {
		wasEmpty := len(session.Seen) == 0
		if session.Room.ID == r.Room && session.Bot == r.Bot {
			session.apply(r, s.Now())
		}
		entered = wasEmpty && len(session.Seen) > 0
		return nil
	})
	if entered {
		s.countRoom(ctx, session)
	}
	room := Room{Bot: r.Bot, ID: r.Room}
	switch {
	case errors.Is(err, ErrSessionUnknown):
		if s.Now().Sub(r.At).Abs() < unknownSessionRetry {
			return errNotYetKnown
		}
		// No browser has the room's link, or the store has lost its contents.
		s.closeStale(ctx, r, room, textUnneeded)
		return nil
	case err != nil:
		return err
	case session.Room.ID == "" && s.Now().Sub(r.At).Abs() < unknownSessionRetry:
		return errNotYetKnown
	case session.Room.ID != r.Room || session.Bot != r.Bot:
		return nil
	case session.ended(s.Now()):
		reason := session.Status(s.Now()).Reason
		s.Log.DebugContext(ctx, "login has ended", "session", session.ID, "report", r.Kind, "reason", reason)
		s.closeStale(ctx, r, room, closingMessage(reason))
		return nil
	case r.Kind == event.RoomReady:
		return s.getLink(ctx, session)
	}
	return s.sendDueMessage(ctx, session)
}

// closeStale closes a room in which something happened although its session has ended.
func (s *Logins) closeStale(ctx context.Context, r event.RoomReport, room Room, text string) {
	switch r.Kind {
	case event.RoomClosed, event.RoomLost, event.RoomTaken:
	default:
		s.closeRoom(ctx, room, text)
	}
}

// getLink asks the bot for the link of a room that is open now. Links are in no report.
func (s *Logins) getLink(ctx context.Context, session Session) error {
	if session.Link != "" {
		return nil
	}
	view, err := s.view(ctx, session.Room)
	if err != nil {
		return err
	}
	if view.Link == "" {
		return nil // it is closed already, which is reported
	}
	_, err = s.Sessions.Change(ctx, session.ID, func(session *Session) error {
		session.opened(view.Link, s.Now())
		return nil
	})
	return err
}

// sendDueMessage writes the next message into the room's chat, if one is due.
func (s *Logins) sendDueMessage(ctx context.Context, session Session) error {
	if guest := session.unnotifiedGuest(); guest != 0 {
		return s.notifyGuest(ctx, session, guest)
	}
	if session.wantsCode() {
		return s.provideCode(ctx, session)
	}
	return nil
}

// notifyGuest asks a guest to log in to an account. Concurrent calls may ask twice.
func (s *Logins) notifyGuest(ctx context.Context, session Session, guest int64) error {
	if err := s.say(ctx, session.Room, textGuest); err != nil && !errors.Is(err, ErrRoomGone) {
		return err
	}
	_, err := s.Sessions.Change(ctx, session.ID, func(session *Session) error {
		session.GuestNotified = max(session.GuestNotified, guest)
		return nil
	})
	return err
}

func (s *Logins) say(ctx context.Context, room Room, text string) error {
	ctx, cancel := context.WithTimeout(ctx, sayTimeout)
	defer cancel()
	return s.Bots.Say(ctx, room, text)
}

func (s *Logins) view(ctx context.Context, room Room) (event.RoomView, error) {
	ctx, cancel := context.WithTimeout(ctx, stateTimeout)
	defer cancel()
	return s.Bots.State(ctx, room)
}
