package lzstring

import "unicode/utf16"

// Compress compresses text exactly like compressToEncodedURIComponent. Invalid UTF-8 is replaced by
// U+FFFD.
func Compress(text string) string {
	c := compressor{
		width:  width{bits: 2, room: 2},
		last:   firstPhrase - 1,
		longer: make(map[edge]uint32),
		unsent: make(map[uint32]uint16),
	}
	phrase := noPhrase
	for _, unit := range utf16.Encode([]rune(text)) {
		phrase = c.add(phrase, unit)
	}
	if phrase != noPhrase {
		c.send(phrase)
	}
	c.write(codeEnd, c.width.bits)
	return c.finish()
}

// noPhrase is the empty phrase.
const noPhrase uint32 = 0

// edge leads from a phrase to the phrase that is one code unit longer.
type edge struct {
	phrase uint32
	unit   uint16
}

type compressor struct {
	width   width
	last    uint32 // the newest code
	singles [1 << 16]uint32
	longer  map[edge]uint32
	unsent  map[uint32]uint16 // single units that were not written yet, by code
	out     []byte
	queue   uint64
	queued  int
}

// add appends one unit. It returns the longest known phrase that ends with the unit, and writes the
// phrase before it where that cannot be extended.
func (c *compressor) add(phrase uint32, unit uint16) uint32 {
	if c.singles[unit] == noPhrase {
		c.last++
		c.singles[unit] = c.last
		c.unsent[c.last] = unit
	}
	if phrase == noPhrase {
		return c.singles[unit]
	}
	if longer, known := c.longer[edge{phrase, unit}]; known {
		return longer
	}
	c.send(phrase)
	c.last++
	c.longer[edge{phrase, unit}] = c.last
	return c.singles[unit]
}

func (c *compressor) send(phrase uint32) {
	unit, isNew := c.unsent[phrase]
	if !isNew {
		c.write(phrase, c.width.bits)
		c.width.made()
		return
	}
	if unit < 1<<8 {
		c.write(codeUnit8, c.width.bits)
		c.write(uint32(unit), 8)
	} else {
		c.write(codeUnit16, c.width.bits)
		c.write(uint32(unit), 16)
	}
	delete(c.unsent, phrase)
	c.width.made()
	c.width.made()
}

func (c *compressor) write(field uint32, count int) {
	c.queue |= uint64(field) << c.queued
	for c.queued += count; c.queued >= bitsPerChar; c.queued -= bitsPerChar {
		c.flush()
	}
}

func (c *compressor) flush() {
	c.out = append(c.out, alphabet[reversed(c.queue&(1<<bitsPerChar-1))])
	c.queue >>= bitsPerChar
}

// finish pads the last character with zero bits. Like LZ-String it writes a whole character where no
// bits are left.
func (c *compressor) finish() string {
	c.flush()
	return string(c.out)
}
