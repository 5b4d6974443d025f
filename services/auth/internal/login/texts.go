package login

import "strings"

// What the bot says.
const (
	textCode = "Your login code is CODE. Enter it on the page where you asked for this room. " +
		"Never pass it on: whoever has it can log in as you."
	textGuest   = "You are a guest. Please log in to your game account and join again: only a registered account can be proved."
	textProven  = "You are logged in. Have fun! This room closes now."
	textOver    = "This login is over. Please ask for a new room on the site."
	textVoid    = "Somebody else was here, or a name was changed, so this login is void. Please ask for a new room on the site."
	textTries   = "The code was wrong too often. Please ask for a new room on the site."
	textGone    = "This room is of no use any more. Please ask for a new one on the site."
	textRefused = "This account cannot log in on the site."
)

func textWithCode(code string) string { return strings.Replace(textCode, "CODE", code, 1) }

// farewells are a room's last words, by the reason for which its session ended.
var farewells = map[Reason]string{
	Proven:        textProven,
	TriesUsedUp:   textTries,
	SecondVisitor: textVoid,
	Renamed:       textVoid,
	NotAllowed:    textRefused,
}

// farewell returns the last words to the room of a session that has ended.
func farewell(r Reason) string {
	if text, ok := farewells[r]; ok {
		return text
	}
	return textOver
}
