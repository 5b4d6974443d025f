// Package lzstring compresses and decompresses text like the functions
// compressToEncodedURIComponent and decompressFromEncodedURIComponent of the JavaScript library
// LZ-String.
//
// The compressed form is a stream of bits, six to a character of the alphabet A–Z a–z 0–9 + -, the
// highest bit of a character first. Fields of the stream are written with their lowest bit first. A
// field is a code:
//
//	0        a new character of 8 bits follows
//	1        a new character of 16 bits follows
//	2        the end
//	3 and up a phrase seen before
//
// Characters are UTF-16 code units, as in JavaScript. Every code but the end makes a new phrase:
// the phrase before it and the first character after it. A new character makes one for itself, too.
// Codes start two bits wide and grow by a bit whenever the number of phrases doubles.
//
// Because phrases grow with every repetition, a short string can decompress to a very long one.
// Therefore [Decompress] has a limit.
package lzstring

import (
	"errors"
	"fmt"
)

// The codes that are not phrases.
const (
	codeUnit8 = iota
	codeUnit16
	codeEnd
	firstPhrase
)

const (
	bitsPerChar = 6
	alphabet    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"
)

// ErrTooLong is returned, wrapped in an [Error], where the decompressed text would exceed the limit.
var ErrTooLong = errors.New("the unpacked text exceeds the limit")

// Error is the reason why a compressed string is invalid, and where.
type Error struct {
	Offset int // bytes into the packed string
	Err    error
}

func (e *Error) Error() string {
	return fmt.Sprintf("lzstring: at byte %d: %v", e.Offset, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// width is the number of bits of the next code. Both directions call made after every new phrase.
type width struct {
	bits int
	room int // new phrases until codes need another bit
}

func (w *width) made() {
	w.room--
	if w.room == 0 {
		w.room = 1 << w.bits
		w.bits++
	}
}

// reversed gives the six bits of v in the opposite order: the stream takes a character's highest
// bit first and a field's lowest bit first.
func reversed(v uint64) uint64 {
	var r uint64
	for range bitsPerChar {
		r = r<<1 | v&1
		v >>= 1
	}
	return r
}
