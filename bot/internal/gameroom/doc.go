// Package gameroom opens verification rooms on the game's own servers: the bot's
// real mode. Package bonkio talks to the game; this package decides how the game is
// treated (one token for as long as it is valid, growing pauses after refusals) and
// what happens in a room: guests are removed after they were told why, and whoever
// enters or changes the name is reported as the game reports it.
package gameroom
