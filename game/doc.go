// Package game is the root of a library for the browser game: its file formats and its arithmetic.
// It uses the standard library only and does no input or output.
//
//   - lbreplay reads and writes the .lbReplay files of the replay mod;
//   - bonkmap reads and writes map strings, and computes properties of maps;
//   - replaycheck lists what a replay proves;
//   - racetime rounds finish times to frames, formats them and computes medals;
//   - lzstring compresses and decompresses text like the JavaScript library;
//   - mapimage draws maps.
//
// The package itself is empty. Its tests run the cases in testdata, which readers of the formats in
// other languages share.
package game
