package sharecard

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
)

// siteName stands beside the logo.
const siteName = "Capzone"

// text is a line of text.
type text struct {
	family family
	value  string
	// size is in pixels. A text that is too wide becomes smaller until it has the size least, if that is not 0.
	size, least int
	color       color.NRGBA
	// width bounds the text.
	width int
}

// fit returns the face in which the text is drawn, what is drawn, and how wide that is.
func (t text) fit() (*face, string, int) {
	for size := t.size; ; size -= 4 {
		sized := t.family.face(size)
		all := sized.drawable(t.value)
		if width := sized.write(nil, all, 0, 0, nil); width <= t.width {
			return sized, all, width
		}
		if size-4 < t.least || t.least == 0 {
			shown, width := sized.fit(t.value, t.width)
			return sized, shown, width
		}
	}
}

// left, middle and right write a text that begins, has its middle or ends at x, with its baseline at y. Left and right
// return how wide it is.
func (c canvas) left(t text, x, y int) int {
	sized, shown, _ := t.fit()
	return sized.write(c.RGBA, shown, x, y, image.NewUniform(t.color))
}

func (c canvas) middle(t text, x, y int) {
	sized, shown, width := t.fit()
	sized.write(c.RGBA, shown, x-width/2, y, image.NewUniform(t.color))
}

func (c canvas) right(t text, x, y int) int {
	sized, shown, width := t.fit()
	return sized.write(c.RGBA, shown, x-width, y, image.NewUniform(t.color))
}

// paragraph writes two lines at most, with the first baseline at y.
func (c canvas) paragraph(t text, x, y, height int) {
	sized, all, first := t.family.face(t.size), strings.Fields(t.value), 0
	for first < len(all) {
		longer := sized.drawable(strings.Join(all[:first+1], " "))
		if sized.write(nil, longer, 0, 0, nil) > t.width {
			break
		}
		first++
	}
	for i, words := range [][]string{all[:first], all[first:]} {
		t.value = strings.Join(words, " ")
		c.left(t, x, y+i*height)
	}
}

// labels draws the logo into the upper left corner of a card with a picture, and what the card is about into the right
// one, with a flag of a colour where that is not nil.
func (c canvas) labels(about string, cloth *color.NRGBA) {
	shade := image.NewUniform(alpha(ground, 0.72))
	c.fill(rounded(margin-16, 30, 212, 64, 20), shade)
	c.logo(margin-4, 40, 44)
	t := text{family: headings, value: about, size: 36, color: white, width: 620}
	_, _, width := t.fit()
	if width == 0 {
		return
	}
	left := Width - margin - width - 24
	if cloth != nil {
		left -= 40
	}
	c.fill(rounded(float64(left)-24, 30, float64(Width-margin-left+24), 64, 20), shade)
	if cloth != nil {
		c.flag(point{float64(left) + 6, 80}, 38, *cloth)
		t.color, left = *cloth, left+40
	}
	c.left(t, left, 75)
}

// logo draws the site's mark (web/public/favicon.svg), with a side in pixels, and its name.
func (c canvas) logo(x, y, side float64) {
	at, scale := point{x, y}, side/32
	c.fill(placed(rounded(-0.7, -0.7, 33.4, 33.4, 9.7), at, scale), image.NewUniform(alpha(white, 0.22)))
	c.fill(placed(rounded(0, 0, 32, 32, 9), at, scale), image.NewUniform(color.NRGBA{0x0e, 0x2a, 0x31, 0xff}))
	c.fill(placed(rounded(4.5, 21.5, 23, 3, 1.5), at, scale), image.NewUniform(color.NRGBA{0x28, 0xb3, 0xc1, 0xff}))
	c.fill(placed(arc(point{16, 23}, 7, 180, 360), at, scale), image.NewUniform(alpha(aqua, 0.35)))
	c.fill(placed(circle(point{16, 13}, 5.5), at, scale), image.NewUniform(sun))
	name := text{family: headings, value: siteName, size: int(side * 0.8), color: white, width: Width}
	c.left(name, int(x+side*1.25), int(y+side*0.78))
}

// ball draws a player as a ball with a shine and the first letter of the name.
func (c canvas) ball(at point, radius float64, b Ball) {
	fill := colorOr(b.Color, neutral)
	c.fill(circle(at, radius), image.NewUniform(fill))
	c.shine(at, radius)
	letter := white
	if luminance(fill) > 0.35 {
		letter = color.NRGBA{0x14, 0x20, 0x2a, 0xff}
	}
	size := int(radius * 1.05)
	shown := []rune(headings.face(size).drawable(strings.ToUpper(b.Name)))
	if len(shown) == 0 || shown[0] == substitute {
		return
	}
	c.middle(text{family: headings, value: string(shown[0]), size: size, color: letter, width: Width},
		int(at.x), int(at.y+0.36*float64(size)))
}

// shine draws the light and the shade of a ball.
func (c canvas) shine(at point, radius float64) {
	scale := radius / 20
	crescent := append(arc(point{0, 0}, 20, 20, 160), arc(point{0, -9}, 24.58, 139.9, 40.1)...)
	c.fill(placed(crescent, at, scale), image.NewUniform(alpha(black, 0.2)))
	sin, cos := math.Sincos(-28 * math.Pi / 180)
	var light []point
	for _, p := range circle(point{}, 1) {
		x, y := p.x*7, p.y*4
		light = append(light, point{x*cos - y*sin - 7, x*sin + y*cos - 11})
	}
	c.fill(placed(light, at, scale), image.NewUniform(alpha(white, 0.35)))
}

// avatar draws the middle of a picture as a ball.
func (c canvas) avatar(at point, radius float64, picture image.Image) {
	box := image.Rect(int(at.x-radius), int(at.y-radius), int(at.x+radius)+1, int(at.y+radius)+1)
	disc := canvas{image.NewRGBA(box)}
	disc.cover(box, picture)
	c.fill(circle(at, radius), disc.RGBA)
}

// arrow draws an arrow of a width to the right, from a point.
func (c canvas) arrow(from point, width float64, ink color.NRGBA) {
	src, head := image.NewUniform(ink), 18.0
	tip := point{from.x + width, from.y}
	c.fill(line(from, point{tip.x - head, from.y}, 8), src)
	c.fill([]point{tip, {tip.x - head, tip.y - head}, {tip.x - head, tip.y + head}}, src)
}

// medal draws the medal of a name on its ribbon, as the site does (web/src/entities/record/Medal.tsx), with a side in
// pixels. An unknown one is none.
func (c canvas) medal(at point, side float64, name string) {
	fill, ok := medalColors[name]
	if !ok {
		return
	}
	scale := side / 24
	ribbon := image.NewUniform(mix(ground, fill, 0.55))
	c.fill(placed([]point{{7, 2}, {11, 2}, {13, 9}, {9, 9}}, at, scale), ribbon)
	c.fill(placed([]point{{17, 2}, {13, 2}, {11, 9}, {15, 9}}, at, scale), ribbon)
	c.fill(placed(circle(point{12, 15}, 7), at, scale), image.NewUniform(fill))
	c.fill(placed(circle(point{12, 15}, 5.4), at, scale), image.NewUniform(mix(fill, ground, 0.5)))
	c.fill(placed(circle(point{12, 15}, 4.7), at, scale), image.NewUniform(fill))
	if name == "author" {
		var star []point
		for i := range 10 {
			radius, angle := 3.6, float64(i)*math.Pi/5-math.Pi/2
			if i%2 == 1 {
				radius = 1.6
			}
			star = append(star, point{12 + radius*math.Cos(angle), 15.2 + radius*math.Sin(angle)})
		}
		c.fill(placed(star, at, scale), image.NewUniform(ground))
		return
	}
	place := map[string]string{"gold": "1", "silver": "2", "bronze": "3"}[name]
	size := int(side * 0.33)
	c.middle(text{family: headings, value: place, size: size, color: ground, width: Width},
		int(at.x+12*scale), int(at.y+15*scale+0.35*float64(size)))
}

// flag draws a flag on its pole, which stands at a point and is as high as said.
func (c canvas) flag(foot point, height float64, cloth color.NRGBA) {
	scale := height / 80
	c.fill(placed(rounded(-2, -80, 4, 80, 2), foot, scale), image.NewUniform(white))
	c.fill(placed([]point{{2, -77}, {40, -77}, {31, -65}, {40, -53}, {2, -53}}, foot, scale), image.NewUniform(cloth))
}

// platform draws a platform with its upper edge at a height.
func (c canvas) platform(at point, width, scale float64) {
	c.fill(placed(rounded(0, 0, width/scale, 12, 6), at, scale), image.NewUniform(platforms))
	c.fill(placed(rounded(6, 1, width/scale-12, 3, 1.5), at, scale), image.NewUniform(alpha(aqua, 0.55)))
}

// colorOr returns the colour of a text like #rrggbb, or another one where the text is none.
func colorOr(hex string, otherwise color.NRGBA) color.NRGBA {
	c := color.NRGBA{A: 0xff}
	if n, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil || n != 3 {
		return otherwise
	}
	return c
}

// luminance is WCAG's relative luminance of a colour, from 0 to 1.
func luminance(c color.NRGBA) float64 {
	linear := func(channel uint8) float64 {
		v := float64(channel) / 0xff
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
