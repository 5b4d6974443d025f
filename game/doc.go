// Package game is the root of a library for the community of the browser game:
// its file formats and its arithmetic, with the standard library alone and
// without any input or output of its own.
//
//   - lbreplay reads and writes the .lbReplay files of the replay mod;
//   - bonkmap reads and writes map strings, and knows what matters of a map;
//   - racetime snaps, spells and rewards finish times;
//   - lzstring packs and unpacks text as the JavaScript library does;
//   - mapgen draws maps and their pictures.
//
// The package itself is empty. Its tests run the fixtures in testdata, which
// readers of the formats in other languages share.
package game
