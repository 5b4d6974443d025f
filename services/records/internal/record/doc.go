// Package record is the domain of records: how a record is submitted, how records are
// ranked and read, and how an operator removes one.
//
// A record is a player's accepted finish of a map, with its replay. Every accepted record
// is kept. A map's leaderboard has one row for each player, their personal best: the
// fastest of their records, and of equally fast ones the one that was accepted first. Rows
// are ordered by finish time, then by the replay's time stamp, then by id, so that no two
// rows share a rank.
//
// A record is active until it, or its map, is removed. The totals of a map, of a player
// and of the site count active records. A removed map does not come back.
//
// The package knows nothing of HTTP, SQL, NATS or object storage. Each use case declares
// the interfaces that it needs.
package record
