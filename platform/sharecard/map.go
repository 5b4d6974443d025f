package sharecard

import (
	"image"
	"strconv"
	"strings"
)

// Map is a map with its world record.
type Map struct {
	Name, Author, Mode string
	// Version is 0 where it is not shown.
	Version int
	Picture StoredPicture
	// Time is that of the world record, and empty where there is none.
	Time   string
	Holder Ball
}

func (m Map) stored() StoredPicture { return m.Picture }

func (m Map) draw(c canvas, picture image.Image) {
	c.backdrop(picture, 220)
	c.labels(m.kind(), nil)
	c.left(text{headings, m.Name, 104, 60, white, Width - 2*margin}, margin, 448)
	if m.Author != "" {
		c.left(text{words, "by " + m.Author, 40, 0, muted, Width - 2*margin}, margin, 504)
	}
	if m.Time == "" {
		c.left(text{words, "No records yet", 40, 0, bright, Width - 2*margin}, margin, 584)
		return
	}
	c.flag(point{margin + 4, 588}, 56, sun)
	x := margin + 52 + c.left(text{headings, m.Time, 72, 0, sun, 500}, margin+52, 588)
	c.ball(point{float64(x) + 66, 562}, 28, m.Holder)
	c.left(text{headings, m.Holder.Name, 52, 36, bright, Width - margin - x - 112}, x+112, 582)
}

func (m Map) kind() string {
	if m.Version == 0 {
		return m.Mode
	}
	return strings.TrimPrefix(m.Mode+" · Version "+strconv.Itoa(m.Version), " · ")
}
