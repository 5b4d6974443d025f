// Package lbreplay reads and writes the .lbReplay files of the community's
// replay mod: text in lines of "Label: value" about one finished run, with the
// whole map it was run on.
//
//	Map Name: Skyline Run
//	Game Mode: Classic
//	Finish Time: 00:41.27
//	Player Name: cloudstep
//	Player Level: 57
//	Validated: true
//	Replay Version: 1.3.0
//	Game Version: 49
//	Timestamp: 2026-05-11T18:02:33.120Z
//	Player Skin: {"layers":[],"bc":9315498}
//	Map Data: ILAcJAhBFBjBzC…
//
// A label ends at the first colon and is recognised without regard to case,
// spaces, tabs, underscores and hyphens. Lines come in any order. Of a repeated
// label the first line with a value counts; a line with nothing after its colon
// says nothing. Unknown labels are kept aside, lines without a colon are ignored.
//
// [Parse] believes the map data more than the labels: what the data says of the
// map's name, author, mode and id wins, and where a label says otherwise the
// replay carries a [Disagreement]. Nothing in a file is trusted: it is limited in
// size, its times are checked, and an [*Error] names the line at fault.
package lbreplay
