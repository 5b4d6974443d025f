// Package login is the domain of verification sessions: a player proves to own a game
// account by reading a code in a game room and typing it in on the site.
//
// A session belongs to one browser (which holds a secret in a cookie) and to one
// room (which a bot holds). Its states:
//
//	pending ──────── the room is open, a registered player has entered, the code is said ──▸ code_provided
//	code_provided ── the right code, from the right browser ──▸ success
//	either ───────── five wrong codes, a room that ends, a code not said, no room ──▸ failed
//	either ───────── anybody else in the room, a changed name, another host ──▸ invalid
//	either ───────── three minutes ──▸ timeout
//
// A session whose room is not open yet waits in a bot's line; it is pending, and has a place.
//
// One use case a file: request.go, report.go, verify.go, status.go.
package login
