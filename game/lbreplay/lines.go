package lbreplay

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// The limits of a file, in bytes.
const (
	MaxFile = 5 << 20
	MaxLine = 4 << 20
	MaxSkin = 16 << 10
	maxText = 1 << 10 // names, modes and versions
)

const (
	byteOrderMark = "\uFEFF"
	blanks        = " \t"
)

// checkText refuses a file that is too large or not text.
func checkText(file []byte) error {
	switch {
	case len(file) > MaxFile:
		return &Error{Err: ErrTooLarge}
	case !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0:
		return &Error{Err: ErrNotText}
	}
	number := 0
	for line := range bytes.Lines(file) {
		number++
		if len(bytes.TrimRight(line, "\r\n")) > MaxLine {
			return &Error{Line: number, Err: ErrLineTooLong}
		}
	}
	return nil
}

// labelled yields the lines of a file that have a colon, as label and value without blanks around them.
func labelled(file []byte) iter.Seq[Line] {
	text := strings.TrimPrefix(string(file), byteOrderMark)
	return func(yield func(Line) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			label, value, found := strings.Cut(line, ":")
			if !found {
				continue
			}
			if !yield(Line{Number: number, Label: strings.Trim(label, blanks), Value: strings.Trim(value, blanks)}) {
				return
			}
		}
	}
}
