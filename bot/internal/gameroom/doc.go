// Package gameroom opens verification rooms on the game's own servers: the bot's real mode. It uses
// one token for as long as it is valid, pauses after refusals, removes guests after they could read
// why, and reports entries and changed names as the game reports them. Package bonkio is the client
// of the game's protocol.
package gameroom
