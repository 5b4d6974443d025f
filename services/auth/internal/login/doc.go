// Package login is the domain of verification sessions: somebody proves to own
// a game account by reading a code in a game room and typing it on the site.
//
// A session belongs to one browser (which holds a secret in a cookie) and to one
// room (which a bot holds). Its states:
//
//	pending ──────── a registered player has come, the code is said ───────▸ code_provided
//	code_provided ── the right code, from the right browser ───────────────▸ success
//	either ───────── five wrong codes, a room that ends, a code not said ──▸ failed
//	either ───────── anybody else in the room, a changed name ─────────────▸ invalid
//	either ───────── three minutes ────────────────────────────────────────▸ timeout
//
// One use case a file: request.go, report.go, verify.go, status.go.
package login
