// Package verification opens the rooms in which players prove their game accounts. A Bot opens a
// room for a login session, in the order of a queue and at the rate that the game allows. It stores who is and who
// ever was inside, numbers and sends its reports, sends texts to the chat, and ends the room on
// request or at the end of its lifetime.
//
// The rooms are those of a Game: the simulated rooms of development, or the game's own servers.
// Package natsapi connects the bot to auth.
package verification
