package login

import (
	"fmt"
	"strings"
	"time"

	"capzone.dev/platform/problem"
)

// State is the state of a session, as the site shows it.
type State string

// The states. The last four are final.
const (
	Pending      State = "pending"
	CodeProvided State = "code_provided"
	Success      State = "success"
	Failed       State = "failed"
	Timeout      State = "timeout"
	Invalid      State = "invalid"
)

func (s State) final() bool {
	return s == Success || s == Failed || s == Timeout || s == Invalid
}

// Reason is why a session is in its state.
type Reason string

// The reasons.
const (
	Queued        Reason = "queued"         // the room is not open yet
	NetworkQueued Reason = "network_queued" // other logins of the same address are first
	Waiting       Reason = "waiting"        // the room is empty
	GuestCame     Reason = "guest_came"     // a guest was asked to log in to an account
	CodeDelivered Reason = "code_said"      // the code is in the room's chat
	LoggedIn      Reason = "proven"         // the right code was given
	TooLate       Reason = "too_late"       // the lifetime is over
	TriesUsedUp   Reason = "tries_used_up"  // five wrong codes
	NotDelivered  Reason = "not_said"       // the bot could not deliver the code
	RoomClosed    Reason = "room_closed"    // the room ended as it should, but too soon
	RoomLost      Reason = "room_lost"      // the room ended against the bot's will
	NoRoom        Reason = "no_room"        // no room could be opened in time
	GivenUp       Reason = "given_up"       // the browser asked no more, while others of its address waited
	HostChanged   Reason = "host_changed"   // the game made another player the room's host
	NotAllowed    Reason = "not_allowed"    // the name is a former one of a banned player, or cannot be registered
	SecondVisitor Reason = "second_visitor" // a visitor entered besides the player
	Renamed       Reason = "renamed"        // a visitor took another name
)

// sentences are the reasons as players read them, without the position of one that waits.
var sentences = map[Reason]string{
	Queued:        problem.Sentence("server.login.queued", "Your room is being prepared."),
	NetworkQueued: problem.Sentence("server.login.network_queued", "Your room is being prepared."),
	Waiting:       problem.Sentence("server.login.waiting", "Waiting for you to join the room..."),
	GuestCame:     problem.Sentence("server.login.guest_came", "You joined as a guest. Log in to your game account and join the room again."),
	CodeDelivered: problem.Sentence("server.login.code_said", "You have joined the room. Enter the code that the bot has told you there."),
	LoggedIn:      problem.Sentence("server.login.proven", "You are logged in."),
	TooLate:       problem.Sentence("server.login.too_late", "The time for this login is over. Please try again."),
	TriesUsedUp:   problem.Sentence("server.login.tries_used_up", "The code was wrong five times. Please try again with a new room."),
	NotDelivered:  problem.Sentence("server.login.not_said", "The bot could not tell you the code. Please try again."),
	RoomClosed:    problem.Sentence("server.login.room_closed", "The room was closed. Please try again."),
	RoomLost:      problem.Sentence("server.login.room_lost", "The room was lost. Please try again."),
	NoRoom:        problem.Sentence("server.login.no_room", "No room could be opened for you. Please try again in a moment."),
	GivenUp:       problem.Sentence("server.login.given_up", "The login page was closed, so the room was given to somebody else. Please try again."),
	HostChanged:   problem.Sentence("server.login.host_changed", "The room was handed to somebody else. For your safety this login is void. Please try again."),
	NotAllowed:    problem.Sentence("server.login.not_allowed", "This account cannot log in here."),
	SecondVisitor: problem.Sentence("server.login.second_visitor", "The room was entered a second time. For your safety this login is void. Please try again."),
	Renamed:       problem.Sentence("server.login.renamed", "A name was changed in the room. For your safety this login is void. Please try again."),
}

// Status is what a browser gets to know about its session.
type Status struct {
	State   State
	Reason  Reason
	Message string
	// RoomLink is empty while the session waits for its room, and when it has ended.
	RoomLink string
	// Position is the number of logins before this one while it waits, else 0.
	Position int
	// RemainingLifetime is how long the session still lives; zero once it has ended.
	RemainingLifetime time.Duration
}

// Status returns the status of the session at a moment.
func (s *Session) Status(now time.Time) Status {
	switch {
	case s.State.final():
		return Status{State: s.State, Reason: s.Reason, Message: sentences[s.Reason]}
	case !now.Before(s.ExpiresAt) && s.Link == "":
		return Status{State: Failed, Reason: NoRoom, Message: sentences[NoRoom]}
	case !now.Before(s.ExpiresAt):
		return Status{State: Timeout, Reason: TooLate, Message: sentences[TooLate]}
	}
	reason := s.Reason
	switch {
	case s.State == CodeProvided:
		reason = CodeDelivered
	case s.GuestNotified > 0 && s.Code == nil:
		reason = GuestCame
	case s.Room.ID == "":
		reason = NetworkQueued
	case s.Link == "":
		reason = Queued
	}
	return Status{
		State: s.State, Reason: reason, Message: sentences[reason] + s.queueText(reason),
		RoomLink: s.Link, Position: s.Position, RemainingLifetime: s.ExpiresAt.Sub(now),
	}
}

// queueText returns what follows the sentence of a session that waits.
func (s *Session) queueText(r Reason) string {
	switch {
	case r == NetworkQueued && s.Position > 0 && s.OpeningAt.IsZero():
		return fmt.Sprintf(" %d before you from your network.", s.Position)
	case r == Queued && s.Position > 0:
		return fmt.Sprintf(" %d before you.", s.Position)
	case r == Queued:
		return " You are next."
	}
	return ""
}

// The bot's messages. Each is one line of the game's chat (100 characters).
const (
	// textCode is the first message and has no other text, so that it always fits.
	textCode     = "Your login code is CODE."
	textWarning  = "Enter it on the site. Never pass it on: anyone with the code can log in as you."
	textGuest    = "You are a guest. Log in to your game account and join again: only an account can be proved."
	textLoggedIn = "You are logged in. Have fun! This room closes now."
	textOver     = "This login is over. Please ask for a new room on the site."
	textVoid     = "Somebody else was here, or a name was changed: this login is void. Please ask for a new room."
	textTries    = "The code was wrong too often. Please ask for a new room on the site."
	textUnneeded = "This room is not needed any more. Please ask for a new one on the site."
	textRefused  = "This account cannot log in on the site."
)

func textWithCode(code string) string { return strings.Replace(textCode, "CODE", code, 1) }

// closingMessage returns the last message in the room of a session that has ended.
func closingMessage(r Reason) string {
	switch r {
	case LoggedIn:
		return textLoggedIn
	case TriesUsedUp:
		return textTries
	case SecondVisitor, Renamed:
		return textVoid
	case NotAllowed:
		return textRefused
	default:
		return textOver
	}
}
