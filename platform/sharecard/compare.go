package sharecard

import (
	"image"
	"strconv"
)

// Comparison is two players with how many maps each has won.
type Comparison struct {
	First, Second Ball
	Wins, Losses  int
	// Line says what the score is of.
	Line string
}

func (Comparison) stored() StoredPicture { return StoredPicture{} }

func (m Comparison) draw(c canvas, _ image.Image) {
	const half = Width / 2
	second := newCanvas()
	m.side(c, m.First, 290)
	m.side(second, m.Second, Width-290)
	c.fill([]point{{half + 40, 0}, {Width, 0}, {Width, Height}, {half - 60, Height}}, second.RGBA)
	c.fill(line(point{half + 40, 0}, point{half - 60, Height}, 3), image.NewUniform(alpha(white, 0.25)))
	c.hills(440)
	c.logo(margin, 36, 52)
	for i, b := range []Ball{m.First, m.Second} {
		x := 290 + i*(Width-2*290)
		at := point{float64(x), 268}
		c.platform(point{at.x - 120, 374}, 240, 2)
		c.ball(at, 106, b)
		c.middle(text{headings, b.Name, 60, 40, white, 2 * (290 - margin)}, x, 500)
	}
	score := strconv.Itoa(m.Wins) + " : " + strconv.Itoa(m.Losses)
	c.middle(text{headings, score, 152, 48, white, 380}, half, 322)
	c.middle(text{words, m.Line, 38, 0, muted, Width - 2*margin}, half, 592)
	if m.Wins+m.Losses == 0 {
		return
	}
	const width = Width - 2*margin
	part := width * m.Wins / (m.Wins + m.Losses)
	first, other := colorOr(m.First.Color, neutral), colorOr(m.Second.Color, neutral)
	c.fade(image.Rect(margin, 530, margin+part, 542), first, first)
	c.fade(image.Rect(margin+part, 530, margin+width, 542), other, other)
}

// side draws the sky in the colour of a player, with a light behind the ball.
func (Comparison) side(c canvas, b Ball, x float64) {
	skin := colorOr(b.Color, neutral)
	c.sky(c.Rect, tinted(skyTop, skin, 0.2), tinted(skyBottom, skin, 0.55))
	c.stars()
	c.glow(point{x, 268}, 300, alpha(mix(skin, white, 0.3), 0.7))
}
