// Package bonkio is a client of the game's protocol (API protocol 49), as far
// as hosting a room needs it: it logs an account in, connects to a game server,
// creates a room, tells who comes, goes and changes names, speaks in the chat
// and removes players. What the room is for is not decided here.
//
// A connection is Socket.IO 2 (Engine.IO protocol 3) over WebSocket. Its events
// have numbers for names; packet.go reads and writes them, events.go says what
// each holds. Certificates are always checked. What the server sends is bounded
// and read with suspicion: a room whose server can no longer be understood ends.
//
// No error of this package holds a password, a token or a room's link.
package bonkio
