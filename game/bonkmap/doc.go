// Package bonkmap reads and writes the map strings of the browser game, which its editor exports
// and replays contain as map data.
//
// A map string is LZ-String over base64 over bytes. The bytes are big-endian and describe, in this
// order: the format's version and the settings; names, votes and other facts about the map; how
// many pixels a metre has; the order in which bodies are drawn; shapes; fixtures, which give a
// shape a surface; bodies, which carry fixtures; spawns; capture zones; and joints. They refer to
// each other by index. Versions 1 to 15 are known. Newer ones added fields; fields that an older map
// lacks get the game's defaults. docs/formats.md of the project describes every field.
//
// [Decode] validates its input. It compares lengths and counts with the remaining bytes before it
// allocates, every index must be in range (or [None] where the game allows that), and every number
// must be finite. An [*Error] has the reason and the byte offset. [Encode] is its inverse and
// writes version 15.
//
// The rest of the package computes properties of parkour maps: the [Mode], the map that it remixes
// ([Map.Remix]), whether a finish is ambiguous ([Map.FinishIsAmbiguous]) and whether two maps play the
// same ([Map.PhysicsFingerprint]).
package bonkmap
