package mapimage

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"

	"capzone.dev/game/bonkmap"
)

// SVG returns a map as a document without scripts, links and styles. Its coordinates are those of the map.
//
// The marks that a page may hide have a class: "spawn", "finish", "zone", "deadly" and "no-grapple". The only text of
// the map in the document is its name, escaped, as the title.
func SVG(m *bonkmap.Map) ([]byte, error) {
	s, err := newScene(m)
	if err != nil {
		return nil, err
	}
	d := &document{scale: s.markScale()}
	d.open(s, m.Name)
	for _, a := range s.areas {
		d.area(a)
	}
	for _, line := range s.lines {
		d.write(`<path class="joint" fill="none" stroke="#FFF" stroke-width="1" stroke-opacity=".7" d="`)
		d.path(line[:])
		d.write(`"/>`)
	}
	for _, a := range s.areas {
		switch {
		case a.isFinish:
			d.label("finish", "finish", a.middle())
		case a.isOtherZone:
			d.label("zone", "area, no finish", a.middle())
		}
	}
	for i, spawn := range s.spawns {
		d.spawn(spawn)
		if i == 0 {
			d.label("spawn", "start", bonkmap.Point{X: spawn.X, Y: spawn.Y - 2*spawnRadius*d.scale})
		}
	}
	d.write("</svg>\n")
	return d.Bytes(), nil
}

// document is an SVG document that grows.
type document struct {
	bytes.Buffer
	scale float64 // pixels of the map to one of a mark
}

// patterns are the fills of marked surfaces. Each is drawn over the colour of its surface.
const patterns = `<defs>` +
	`<pattern id="map-deadly" width="8" height="8" patternUnits="userSpaceOnUse"` +
	` patternTransform="scale(%[1]s) rotate(45)">` +
	`<path fill="#000" fill-opacity=".55" d="M0 0h4v8h-4z"/></pattern>` +
	`<pattern id="map-no-grapple" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="scale(%[1]s)">` +
	`<circle cx="4" cy="4" r="1.8" fill="#FFF" fill-opacity=".6"/></pattern>` +
	`<pattern id="map-zone" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="scale(%[1]s)">` +
	`<path fill="#FFF" fill-opacity=".5" d="M0 0h12v2h-12z"/></pattern>` +
	`<pattern id="map-finish" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="scale(%[1]s)">` +
	`<path fill="#FFF" fill-opacity=".7" d="M0 0h6v6h-6zM6 6h6v6h-6z"/>` +
	`<path fill="#111" fill-opacity=".7" d="M6 0h6v6h-6zM0 6h6v6h-6z"/></pattern></defs>`

func (d *document) open(s *scene, name string) {
	left, top, width, height := s.view.Min.X, s.view.Min.Y, s.view.Width(), s.view.Height()
	frame := number(left) + " " + number(top) + " " + number(width) + " " + number(height)
	d.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="` + frame + `" role="img"><title>`)
	// A bytes.Buffer returns no error, and EscapeText replaces what XML cannot hold.
	_ = xml.EscapeText(d, []byte(name))
	d.write(`</title>`)
	fmt.Fprintf(d, patterns, number(d.scale))
	// The sky is larger than the view, for a page that shows more than that.
	fmt.Fprintf(d, `<rect x="%s" y="%s" width="%s" height="%s" fill="#%06X"/>`,
		number(left-width), number(top-height), number(3*width), number(3*height), s.sky)
}

func (d *document) area(a area) {
	d.shape(a)
	fmt.Fprintf(d, ` fill="#%06X"`, a.colour)
	if a.hasNoPhysics {
		fmt.Fprintf(d, ` class="no-physics" fill-opacity=".6" stroke="#FFF" stroke-opacity=".3" stroke-width="%[1]s"`+
			` stroke-dasharray="%[2]s"`, number(d.scale), number(4*d.scale))
	}
	d.write(`/>`)
	for _, mark := range []struct {
		isSet bool
		name  string
	}{
		{a.isDeadly, "deadly"}, {a.hasNoGrapple && !a.hasNoPhysics, "no-grapple"}, {a.isFinish, "finish"},
		{a.isOtherZone, "zone"},
	} {
		if mark.isSet {
			d.shape(a)
			d.write(` class="` + mark.name + `" fill="url(#map-` + mark.name + `)"/>`)
		}
	}
}

// shape writes the beginning of an element with the outline of a.
func (d *document) shape(a area) {
	if a.outline == nil {
		d.write(`<circle cx="` + number(a.centre.X) + `" cy="` + number(a.centre.Y) + `" r="` + number(a.radius) + `"`)
		return
	}
	d.write(`<path d="`)
	d.path(a.outline)
	d.write(`Z"`)
}

func (d *document) path(points []bonkmap.Point) {
	if len(points) == 0 {
		d.write("M0 0")
	}
	command := "M"
	for _, p := range points {
		d.write(command + number(p.X) + " " + number(p.Y))
		command = "L"
	}
}

func (d *document) spawn(at bonkmap.Point) {
	fmt.Fprintf(d, `<circle class="spawn" cx="%s" cy="%s" r="%s" fill="#2E86DE" stroke="#FFF" stroke-width="%s"/>`,
		number(at.X), number(at.Y), number(spawnRadius*d.scale), number(2*d.scale))
}

func (d *document) label(class, text string, at bonkmap.Point) {
	fmt.Fprintf(d, `<text class="%s" x="%s" y="%s" font-family="sans-serif" font-weight="bold" font-size="%s"`+
		` text-anchor="middle" fill="#FFF" stroke="#000" stroke-width="%s" paint-order="stroke">%s</text>`,
		class, number(at.X), number(at.Y), number(14*d.scale), number(3*d.scale), text)
}

func (d *document) write(text string) { _, _ = d.WriteString(text) }

// number formats a coordinate with at most one decimal.
func number(v float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 1, 64), 64)
	if err != nil || rounded == 0 {
		return "0" // and not "-0"
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
