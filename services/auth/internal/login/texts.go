package login

import "strings"

// What the bot says. Each text is one line of the game's chat (100 characters).
const (
	// textCode is said alone and first, so that nothing can be in its way.
	textCode    = "Your login code is CODE."
	textWarning = "Enter it on the site. Never pass it on: whoever has the code can log in as you."
	textGuest   = "You are a guest. Log in to your game account and join again: only an account can be proved."
	textProven  = "You are logged in. Have fun! This room closes now."
	textOver    = "This login is over. Please ask for a new room on the site."
	textVoid    = "Somebody else was here, or a name was changed: this login is void. Please ask for a new room."
	textTries   = "The code was wrong too often. Please ask for a new room on the site."
	textStale   = "This room is not needed any more. Please ask for a new one on the site."
	textRefused = "This account cannot log in on the site."
)

func textWithCode(code string) string { return strings.Replace(textCode, "CODE", code, 1) }

// closingMessage returns what is said in the room of a session that has ended.
func closingMessage(r Reason) string {
	switch r {
	case Proven:
		return textProven
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
