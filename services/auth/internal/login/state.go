package login

import "time"

// State is how far a session has come, as the site shows it.
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

// Reason says why a session is in its state.
type Reason string

// The reasons.
const (
	Waiting       Reason = "waiting"        // nobody has come
	GuestCame     Reason = "guest_came"     // a guest was told that an account is needed
	CodeSaid      Reason = "code_said"      // the code stands in the room's chat
	Proven        Reason = "proven"         // the right code was given
	TooLate       Reason = "too_late"       // the lifetime is over
	TriesUsedUp   Reason = "tries_used_up"  // five wrong codes
	NotSaid       Reason = "not_said"       // the bot could not say the code
	RoomClosed    Reason = "room_closed"    // the room ended as it should, but too soon
	RoomLost      Reason = "room_lost"      // the room ended against the bot's will
	NotAllowed    Reason = "not_allowed"    // the player is banned, or cannot be registered
	SecondVisitor Reason = "second_visitor" // somebody entered besides the player
	Renamed       Reason = "renamed"        // a visitor took another name
)

// sentences tell players of each reason.
var sentences = map[Reason]string{
	Waiting:       "Waiting for you to join the room...",
	GuestCame:     "You joined as a guest. Log in to your game account and join the room again.",
	CodeSaid:      "You have joined the room. Enter the code that the bot has told you there.",
	Proven:        "You are logged in.",
	TooLate:       "The time for this login is over. Please try again.",
	TriesUsedUp:   "The code was wrong five times. Please try again with a new room.",
	NotSaid:       "The bot could not tell you the code. Please try again.",
	RoomClosed:    "The room was closed. Please try again.",
	RoomLost:      "The room was lost. Please try again.",
	NotAllowed:    "This account cannot log in here.",
	SecondVisitor: "The room was entered a second time. For your safety this login is void. Please try again.",
	Renamed:       "A name was changed in the room. For your safety this login is void. Please try again.",
}

// Status is what a browser is told about its session.
type Status struct {
	State   State
	Reason  Reason
	Message string
	// Left is how long the session still lives; zero once it has ended.
	Left time.Duration
}

// Status tells how the session stands at a moment.
func (s *Session) Status(now time.Time) Status {
	state, reason, left := s.State, s.Reason, time.Duration(0)
	switch {
	case state.final():
	case !now.Before(s.ExpiresAt):
		state, reason = Timeout, TooLate
	default:
		left = s.ExpiresAt.Sub(now)
		if state == CodeProvided {
			reason = CodeSaid
		} else if s.GuestTold > 0 && s.Code == nil {
			reason = GuestCame
		}
	}
	return Status{State: state, Reason: reason, Message: sentences[reason], Left: left}
}
