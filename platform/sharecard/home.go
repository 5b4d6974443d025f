package sharecard

import "image"

// Home is the site as a whole.
type Home struct {
	// Description is drawn in two lines.
	Description string
	// Totals are what the site has, as "12 maps · 345 records".
	Totals string
}

func (Home) stored() StoredPicture { return StoredPicture{} }

func (h Home) draw(c canvas, _ image.Image) {
	c.sky(c.Rect, skyTop, skyBottom)
	c.stars()
	light := point{560, 440}
	c.glow(light, 440, warmLight)
	c.fill(circle(light, 76), image.NewUniform(lowSun))
	c.hills(540)
	c.course()
	c.logo(margin, margin, 104)
	c.paragraph(text{words, h.Description, 36, 0, bright, 760}, margin, 222, 48)
	c.left(text{words, h.Totals, 36, 0, muted, Width - 2*margin}, margin, 600)
}
