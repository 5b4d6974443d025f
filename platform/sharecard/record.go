package sharecard

import (
	"image"
	"image/color"
)

// Record is a record.
type Record struct {
	// Kind is what the record is for its player or its map.
	Kind string
	// World is true for a world record.
	World  bool
	Player Ball
	Map    string
	Time   string
	// Before is the time that this one has beaten, or empty.
	Before string
	// Medal is author, gold, silver, bronze or empty.
	Medal string
	// Earned is the place and the medal.
	Earned  string
	Picture StoredPicture
}

func (r Record) stored() StoredPicture { return r.Picture }

func (r Record) draw(c canvas, picture image.Image) {
	c.backdrop(picture, 170)
	time, flag := white, (*color.NRGBA)(nil)
	if r.World {
		time, flag = sun, &sun
	}
	c.labels(r.Kind, flag)
	right := Width - margin
	if _, ok := medalColors[r.Medal]; ok {
		c.medal(point{float64(right) - 170, 250}, 184, r.Medal)
		right -= 200
	}
	c.left(text{headings, r.Time, 172, 80, time, right - margin}, margin, 440)
	if r.Before != "" {
		width := c.left(text{headings, r.Before, 64, 0, bright, 400}, margin+6, 282)
		c.arrow(point{float64(margin+width) + 30, 259}, 56, bright)
	}
	c.ball(point{margin + 36, 503}, 36, r.Player)
	c.left(text{headings, r.Player.Name, 64, 44, white, Width - 2*margin - 96}, margin+92, 526)
	right = Width - margin - c.right(text{words, r.Earned, 36, 0, bright, 520}, Width-margin, 588)
	c.left(text{words, r.Map, 36, 0, muted, right - margin - 40}, margin, 588)
}
