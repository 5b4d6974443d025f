package lzstring

import (
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// Decompress decompresses a string made by compressToEncodedURIComponent and returns the text as
// UTF-8, at most limit bytes. A space is read as a plus sign, because forms convert one to the
// other. Characters after the end code are ignored. Every error is an [*Error]; it wraps
// [ErrTooLong] where the text is longer than limit.
//
// Beside the text it allocates at most a few bytes per byte of input.
func Decompress(packed string, limit int) ([]byte, error) {
	d := decompressor{bits: bitReader{packed: packed}, limit: limit, phrases: make([]span, 0, len(packed))}
	if err := d.run(); err != nil {
		return nil, &Error{Offset: d.bits.offset(), Err: err}
	}
	return d.out, nil
}

// decompressor needs no dictionary of strings. A phrase is the text written just before and the
// first character written after it, which are adjacent in the output, so a phrase is a pair of
// offsets.
type decompressor struct {
	bits    bitReader
	limit   int
	out     []byte // UTF-8, but surrogates encoded on their own until the end
	phrases []span
	wide    bool // out holds surrogates
}

type span struct{ start, end uint32 }

var (
	errTruncated  = errors.New("the data ends before its end code")
	errBadCode    = errors.New("a code for a phrase that does not exist yet")
	errBadStart   = errors.New("the data starts with a phrase")
	errLoneUnit   = errors.New("the text holds half of a surrogate pair")
	errLimitRange = errors.New("the limit is negative or over 2 GiB")
)

func (d *decompressor) run() error {
	if d.limit < 0 || d.limit > 1<<31-1 {
		return errLimitRange
	}
	code, err := d.bits.read(2)
	switch {
	case err != nil:
		return err
	case code == codeEnd:
		return nil
	case code >= firstPhrase:
		return errBadStart
	}
	// Text in base64 usually packs to a third.
	d.out = make([]byte, 0, min(d.limit, 4*len(d.bits.packed)))
	previous, err := d.unit(code)
	if err != nil {
		return err
	}
	d.phrases = append(d.phrases, previous)

	for w := (width{bits: 3, room: 4}); ; {
		code, err := d.bits.read(w.bits)
		if err != nil {
			return err
		}
		if code == codeEnd {
			return d.joinSurrogates()
		}
		next, err := d.next(code, previous)
		if err != nil {
			return err
		}
		if code < firstPhrase {
			d.phrases = append(d.phrases, next)
			w.made()
		}
		d.phrases = append(d.phrases, span{previous.start, next.start + d.firstUnit(next)})
		w.made()
		previous = next
	}
}

// next writes the text of a code and returns its position.
func (d *decompressor) next(code uint32, previous span) (span, error) {
	if code < firstPhrase {
		return d.unit(code)
	}
	switch index := int(code - firstPhrase); {
	case index < len(d.phrases):
		return d.copy(d.phrases[index])
	case index == len(d.phrases):
		// The phrase that this very code completes: the previous one and its own first character.
		// Its text overlaps what copy is about to write.
		return d.copy(span{previous.start, previous.end + d.firstUnit(previous)})
	default:
		return span{}, errBadCode
	}
}

// unit reads one code unit, of 8 bits or 16, and writes it.
func (d *decompressor) unit(code uint32) (span, error) {
	size := 8
	if code == codeUnit16 {
		size = 16
	}
	value, err := d.bits.read(size)
	if err != nil {
		return span{}, err
	}
	start := len(d.out)
	switch {
	case value < utf8.RuneSelf:
		d.out = append(d.out, byte(value))
	case value < 0x800:
		d.out = append(d.out, 0xC0|byte(value>>6), 0x80|byte(value&0x3F))
	default:
		d.wide = d.wide || utf16.IsSurrogate(rune(value))
		d.out = append(d.out, 0xE0|byte(value>>12), 0x80|byte(value>>6&0x3F), 0x80|byte(value&0x3F))
	}
	if len(d.out) > d.limit {
		return span{}, ErrTooLong
	}
	return span{uint32(start), uint32(len(d.out))}, nil
}

// copy appends a part of the output to it. The part may extend beyond the end; it then continues
// with the bytes that copy itself appended.
func (d *decompressor) copy(from span) (span, error) {
	start, size := len(d.out), int(from.end-from.start)
	if start+size > d.limit {
		return span{}, ErrTooLong
	}
	known := min(int(from.end), start)
	d.out = append(d.out, d.out[from.start:known]...)
	for at := known; at < int(from.end); at++ {
		d.out = append(d.out, d.out[at])
	}
	return span{uint32(start), uint32(start + size)}, nil
}

// firstUnit returns the size in bytes of the first character of a part of the output.
func (d *decompressor) firstUnit(s span) uint32 {
	switch lead := d.out[s.start]; {
	case lead < utf8.RuneSelf:
		return 1
	case lead < 0xE0:
		return 2
	default:
		return 3
	}
}

// joinSurrogates replaces pairs of surrogates, three bytes each, by their characters of four bytes.
func (d *decompressor) joinSurrogates() error {
	if !d.wide {
		return nil
	}
	unitAt := func(i int) rune {
		if i+2 >= len(d.out) || d.out[i] < 0xE0 {
			return utf8.RuneError
		}
		return rune(d.out[i]&0x0F)<<12 | rune(d.out[i+1]&0x3F)<<6 | rune(d.out[i+2]&0x3F)
	}
	joined := d.out[:0]
	for i := 0; i < len(d.out); {
		size := int(d.firstUnit(span{start: uint32(i)}))
		if size < 3 || !utf16.IsSurrogate(unitAt(i)) {
			joined = append(joined, d.out[i:i+size]...)
			i += size
			continue
		}
		r := utf16.DecodeRune(unitAt(i), unitAt(i+3))
		if r == utf8.RuneError {
			return errLoneUnit
		}
		joined = utf8.AppendRune(joined, r)
		i += 6
	}
	d.out = joined
	return nil
}

// bitReader reads fields, lowest bit first, from the compressed characters.
type bitReader struct {
	packed string
	at     int // the next character to take
	queue  uint64
	queued int
}

// offset returns the offset of the character that was read last.
func (r *bitReader) offset() int { return max(r.at-1, 0) }

func (r *bitReader) read(count int) (uint32, error) {
	for r.queued < count {
		if r.at == len(r.packed) {
			return 0, errTruncated
		}
		c := r.packed[r.at]
		r.at++
		if charBits[c] == notInAlphabet {
			return 0, fmt.Errorf("the character %q is not in the alphabet", c)
		}
		r.queue |= uint64(charBits[c]) << r.queued
		r.queued += bitsPerChar
	}
	field := r.queue & (1<<count - 1)
	r.queue >>= count
	r.queued -= count
	return uint32(field), nil
}

const notInAlphabet = 0xFF

// charBits has the six bits of each character in the order of the stream.
var charBits = func() (table [256]byte) {
	for i := range table {
		table[i] = notInAlphabet
	}
	for i := range len(alphabet) {
		table[alphabet[i]] = byte(reversed(uint64(i)))
	}
	table[' '] = table['+']
	return table
}()
