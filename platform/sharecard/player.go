package sharecard

import "image"

// Player is a player with what they have reached.
type Player struct {
	Ball

	// Title is the level and the roles.
	Title string
	// Numbers are at most four.
	Numbers []Number
	// Avatar is shown in the place of the ball.
	Avatar StoredPicture
}

// Number is a figure with its noun.
type Number struct{ Value, Noun string }

func (p Player) stored() StoredPicture { return p.Avatar }

func (p Player) draw(c canvas, picture image.Image) {
	skin := colorOr(p.Color, skyBottom)
	c.sky(c.Rect, tinted(skyTop, skin, 0.15), tinted(skyBottom, skin, 0.5))
	c.stars()
	at := point{940, 262}
	c.glow(at, 420, alpha(mix(colorOr(p.Color, warmLight), lowSun, 0.4), 0.9))
	c.hills(480)
	c.platform(point{780, 428}, 320, 2)
	if picture == nil {
		c.ball(at, 166, p.Ball)
	} else {
		c.avatar(at, 166, picture)
	}
	c.logo(margin, 36, 52)
	c.left(text{words, p.Title, 38, 0, muted, 650}, margin, 204)
	c.left(text{headings, p.Name, 112, 56, white, 660}, margin, 310)
	for i, n := range p.Numbers {
		const column = (Width - 2*margin) / 4
		x := margin + i*column
		c.left(text{headings, n.Value, 76, 40, white, column - 24}, x, 562)
		c.left(text{words, n.Noun, 34, 0, muted, column - 24}, x, 604)
	}
}
