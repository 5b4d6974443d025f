package mapimage_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// checkSVG reads a drawing with a parser of XML. The test fails where the drawing has other elements or attributes than
// those of shapes and titles, such as scripts, links, styles and handlers of events, or numbers that are not finite.
func checkSVG(tb testing.TB, document []byte) {
	tb.Helper()
	const elements = " svg title defs pattern rect path circle text "
	const attributes = " xmlns viewBox role id width height patternUnits patternTransform fill fill-opacity d cx cy " +
		"r x y class stroke stroke-width stroke-opacity stroke-dasharray font-family font-weight font-size text-anchor " +
		"paint-order "
	decoder := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			tb.Fatalf("not XML: %v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !strings.Contains(elements, " "+start.Name.Local+" ") {
			tb.Errorf("the drawing has an element %q", start.Name.Local)
		}
		for _, attribute := range start.Attr {
			if !strings.Contains(attributes, " "+attribute.Name.Local+" ") ||
				strings.Contains(attribute.Value, "NaN") ||
				strings.Contains(attribute.Value, "Inf") {
				tb.Errorf("the drawing has an attribute %s=%q", attribute.Name.Local, attribute.Value)
			}
		}
	}
}
