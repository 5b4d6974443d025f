// Package mapimage draws maps: as SVG for pages, and as an image for cards and link previews.
//
// A drawing shows a map as it is at the start: bodies in the map's draw order, joints that have a line, spawns, and
// capture zones as the finish. Surfaces differ in more than their colour: deadly ones are striped, ones that cannot be
// grappled are dotted, ones without physics have a dashed outline, and the finish is chequered.
//
// The same map always gives the same drawing. Maps above [MaxShapes] or [MaxVertices] are refused with a [LimitError].
package mapimage
