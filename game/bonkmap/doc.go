// Package bonkmap reads and writes the map strings of the browser game: what
// its editor exports, what players share, and what a replay carries as its map
// data.
//
// A map string is LZ-String over base64 over bytes. The bytes are big-endian
// and describe, in this order: the format's version and the settings; names,
// votes and other facts about the map; how many pixels a metre has; the order
// in which bodies are drawn; shapes; fixtures, which give a shape a surface;
// bodies, which carry fixtures; spawns; capture zones; and joints. Things refer
// to each other by index. Versions 1 to 15 are known; newer ones added fields,
// and what an older map lacks gets the value the game itself assumes.
//
// [Decode] trusts nothing in its input. Lengths and counts are compared with
// what is left before anything is allocated, every index must point at something
// (or be [None] where the game allows that), every number must be finite, and an
// [*Error] tells what is wrong and at which byte. [Encode] is its inverse and
// writes version 15.
//
// The rest answers what one wants to know about a parkour map: its [Mode], its
// [Map.Bounds], whom it remixes ([Map.Remix]), whether a run could end too early
// ([Map.FinishIsAmbiguous]) and whether two maps play the same
// ([Map.PhysicsFingerprint]).
package bonkmap
