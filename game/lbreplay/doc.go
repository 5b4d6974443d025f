// Package lbreplay reads and writes the .lbReplay files of the community's replay mod: text in
// lines of "Label: value" about one finish of a map, including the map itself.
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
// A label ends at the first colon and is recognised without regard to case, spaces, tabs,
// underscores and hyphens. Lines are in any order. Where a label is repeated, the first line with a
// value is used. Lines with unknown labels ([UnknownLines]) or without a colon are ignored.
//
// [Parse] takes the map's name, author, mode and id from the map data, if there is any. A label
// that differs becomes a [Disagreement]. Files are limited in size, times are checked, and an
// [*Error] has the number of the invalid line. docs/formats.md of the project describes every label.
package lbreplay
