package readable

import "golang.org/x/text/unicode/bidi"

// Isolate returns a name for a sentence of plain text. One with letters that are written from right to left is put
// between marks that keep it from turning the numbers and names around it.
func Isolate(name string) string {
	const firstStrong, end = "\u2068", "\u2069"
	for _, r := range name {
		properties, _ := bidi.LookupRune(r)
		if class := properties.Class(); class == bidi.R || class == bidi.AL {
			return firstStrong + name + end
		}
	}
	return name
}
