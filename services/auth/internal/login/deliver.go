package login

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// sendTimeout bounds the time to deliver a code.
	sendTimeout = 18 * time.Second
	sendTries   = 3
	sendPause   = 300 * time.Millisecond
)

// provideCode makes the session's code and delivers it. Before that it asks the bot who is in the
// room, because an older report may not have arrived yet: a guest in the room would read the
// code. The MAC is stored first, so that of concurrent calls only one delivers a code.
func (s *Logins) provideCode(ctx context.Context, session Session) error {
	view, err := s.view(ctx, session.Room)
	if err != nil {
		return err
	}
	code := s.Coder.New()
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
	case session.Code == nil, // another entry or exit is on its way
		!bytes.Equal(session.Code.MAC, mac): // another call delivers its code
		return nil
	}
	return s.deliver(ctx, session, code)
}

// deliver writes the code into the chat, then the warning never to pass it on. The code is in no other process, so
// where it does not arrive the session has failed. The result is stored even if ctx has ended meanwhile.
func (s *Logins) deliver(ctx context.Context, session Session, code string) error {
	sendErr := s.sendCode(ctx, session, textWithCode(code))
	_, err := s.Sessions.Change(context.WithoutCancel(ctx), session.ID, func(session *Session) error {
		if sendErr == nil {
			session.markDelivered(s.Now())
		} else {
			session.abandonCode(s.Now())
		}
		return nil
	})
	if sendErr != nil {
		s.Log.WarnContext(ctx, "code was not delivered", "session", session.ID, "error", sendErr)
		s.closeRoom(ctx, session.Room, textOver)
	} else if warnErr := s.say(ctx, session.Room, textWarning); warnErr != nil && !errors.Is(warnErr, ErrRoomGone) {
		s.Log.WarnContext(ctx, "the warning about the code was not delivered", "session", session.ID, "error", warnErr)
	}
	if err != nil {
		return fmt.Errorf("code of session %s: %w", session.ID, err)
	}
	return nil
}

// sendCode writes the code into the chat. It tries again where the bot did not answer.
func (s *Logins) sendCode(ctx context.Context, session Session, text string) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	for try := 1; ; try++ {
		err := s.say(ctx, session.Room, text)
		if err == nil || try == sendTries || errors.Is(err, ErrRoomGone) || errors.Is(err, ErrNotDelivered) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(sendPause):
		}
	}
}
