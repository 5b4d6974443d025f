// Package bonkio is a client of the game's protocol (API protocol 49), as far as
// hosting a room needs it: it logs an account in, connects to a game server,
// creates a room, reports who enters, leaves and changes the name, writes to the
// chat and removes players. It can also enter a room as a visitor (visit.go), so
// that the bot can check its own rooms. What the room is for is not decided here.
//
// A connection is Socket.IO 2 (Engine.IO protocol 3) over WebSocket. Its events
// have numbers for names; packet.go reads and writes them, events.go says what
// each holds. Certificates are always checked. What the server sends is bounded
// in size. A host that cannot read a join ends the room; an unknown or malformed
// event that decides nothing is ignored.
//
// No error of this package holds a password, a token or a room's link.
package bonkio
