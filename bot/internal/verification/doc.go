// Package verification is what every bot does, whatever its rooms are made of:
// it opens a room for a login session, keeps the ledger of who is and who ever
// was inside, numbers and sends its reports, says what it is told, and ends the
// room when it is told or when the room's life is over.
//
// Where the rooms are is a Game: the simulated rooms of development, or the
// game's own servers. How commands and reports travel is not decided here
// either: package contract carries them over NATS.
package verification
