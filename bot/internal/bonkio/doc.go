// Package bonkio is a client of the game's protocol (API protocol 49), as far as hosting a room
// needs it: it logs an account in, connects to a game server, creates a room, reports players who
// enter, leave and change their names, writes to the chat and removes players. It also enters a room
// as a visitor (visit.go), so that the bot can check its own rooms.
//
// A connection is Socket.IO 2 (Engine.IO protocol 3) over WebSocket. Its events have numbers instead
// of names: packet.go reads and writes them, events.go and payloads.go describe their contents.
// Certificates are always verified, and messages of the server are bounded in size. A join that
// cannot be read ends the room. Other unknown or malformed events, and frames that are no packets, are ignored.
//
// No error of this package contains a password, a token or a room's link.
package bonkio
