package login

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// codeTimeout bounds the time to say a code. It is shorter than deliveryTimeout.
	codeTimeout = 18 * time.Second
	sayTries    = 3
	sayPause    = 300 * time.Millisecond
)

// provideCode makes the session's code and says it. Before that it asks the bot who
// is there, because an older report may still be on its way: a guest in the room would
// read the code. The MAC is stored first, so that of several calls at once only one has
// a code to say.
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
		s.closeRoom(ctx, session.Room, closingMessage(session.Status(s.Now()).Reason))
		return nil
	case session.Code == nil:
		return nil // another entry or exit is on its way
	case !bytes.Equal(session.Code.MAC, mac):
		return s.awaitDelivery(ctx, session)
	}
	return s.deliver(ctx, session, code)
}

// deliver says the code, then the warning never to pass it on. Nobody else knows the
// code, so where it does not arrive the session has failed. The result is stored also
// where ctx has ended meanwhile.
func (s *Service) deliver(ctx context.Context, session Session, code string) error {
	sayErr := s.sayCode(ctx, session, textWithCode(code))
	_, err := s.Sessions.Change(context.WithoutCancel(ctx), session.ID, func(session *Session) error {
		if sayErr == nil {
			session.markDelivered(s.Now())
		} else {
			session.abandonCode(s.Now())
		}
		return nil
	})
	if sayErr != nil {
		s.Log.WarnContext(ctx, "code was not said", "session", session.ID, "error", sayErr)
		s.closeRoom(ctx, session.Room, textOver)
	} else if warnErr := s.say(ctx, session.Room, textWarning); warnErr != nil && !errors.Is(warnErr, ErrRoomGone) {
		s.Log.WarnContext(ctx, "the warning about the code was not said", "session", session.ID, "error", warnErr)
	}
	if err != nil {
		return fmt.Errorf("code of session %s: %w", session.ID, err)
	}
	return nil
}

// sayCode says the code. It tries again, with the same code, where the bot did not answer.
func (s *Service) sayCode(ctx context.Context, session Session, text string) error {
	ctx, cancel := context.WithTimeout(ctx, codeTimeout)
	defer cancel()
	for try := 1; ; try++ {
		err := s.say(ctx, session.Room, text)
		if err == nil || try == sayTries || errors.Is(err, ErrRoomGone) || errors.Is(err, ErrNotSaid) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(sayPause):
		}
	}
}

// awaitDelivery makes the report come again until the process that made the code has
// said it, or counts as dead.
func (s *Service) awaitDelivery(ctx context.Context, session Session) error {
	if session.Code.Said {
		return nil
	}
	if s.Now().Before(session.Code.MadeAt.Add(deliveryTimeout)) {
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
