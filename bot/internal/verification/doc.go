// Package verification holds the rooms in which players prove their game accounts,
// whatever the rooms are made of. A Bot opens a room for a login session, in a line
// and at the pace that the game bears; it keeps the log of who is and who ever was
// inside, numbers and sends its reports, says what it is asked to say, and ends the
// room on request or when its lifetime is over.
//
// Where the rooms are is a Game: the simulated rooms of development, or the game's
// own servers. Package natsapi connects the bot to auth.
package verification
