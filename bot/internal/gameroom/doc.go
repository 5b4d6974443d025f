// Package gameroom opens verification rooms on the game's own servers: the bot's
// real mode. Package bonkio talks to the game; this package decides how the game is
// treated (one token for as long as it is valid, growing pauses after refusals) and
// what happens in a room: guests are removed after they were told why, and entries and
// changed names are reported as the game reports them.
package gameroom
