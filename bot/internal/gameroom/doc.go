// Package gameroom opens verification rooms on the game's own servers: the
// bot's real mode. Package bonkio speaks with the game; here stands how to treat
// it (one token as long as it is good, growing pauses after refusals, so many
// rooms a minute) and what happens in a room: newcomers are greeted, guests put
// out once they were told why, and whoever comes in or changes the name is
// reported as the game tells it.
package gameroom
