// Package record is about runs: how one gets in, how runs are ranked, how they
// are read, and how an operator takes one out.
//
// A run is one finished try on a map, proved by a replay file. Every accepted
// run is kept. A map's leaderboard has one row for each player, their best run.
// The best run is the fastest; among a player's equally fast runs it is the one
// that was accepted first. Rows are ordered by finish time, then by the time
// stamp in the replay, then by id, so that each row has a place of its own.
//
// Totals, of a map, of a player and of the site, count the runs that stand: that
// were not removed, on maps that were not taken down. A map that is taken down
// takes its leaderboard with it, its runs are listed no more, and it does not
// come back.
//
// The package knows nothing of HTTP, SQL, NATS or storage. Each use case declares
// beside it the small interfaces that it needs.
package record
