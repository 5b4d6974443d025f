// Package session is the domain of logged-in sessions: access tokens that count
// for a quarter of an hour, and refresh tokens that get new ones.
//
// A login begins a family of refresh tokens. Each refresh rotates: it raises the
// family's generation and gives out a token of the new one. A token of an older
// generation has been used; whoever presents it again is either a second tab of
// the same browser, which is a matter of seconds, or a thief (or the victim of
// one), and the whole family ends. In the first seconds a sibling is given out,
// a token of the present generation: of all the tokens of one generation one can
// be rotated, and then all of them are used.
//
// One use case a file: start.go, refresh.go, end.go, players.go, sweep.go.
package session
