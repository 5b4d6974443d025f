package sharecard

import (
	"image"
	"image/color"
	"math"
)

// The site's banner (web/src/app/layout/Hero.tsx) is drawn on a grid, whose part from sceneLeft on a card shows.
const (
	sceneScale = 1.45
	sceneLeft  = 602
	sceneTop   = 190 // of the grid's upper edge, in pixels
)

// onScene returns points of the banner's grid on a card.
func onScene(points []point) []point {
	return placed(points, point{-sceneLeft * sceneScale, sceneTop}, sceneScale)
}

// sky draws the night with stars, from one colour at the top to another at the horizon.
func (c canvas) sky(r image.Rectangle, top, bottom color.NRGBA) {
	c.fade(image.Rect(r.Min.X, 0, r.Max.X, 520), top, bottom)
	c.fade(image.Rect(r.Min.X, 520, r.Max.X, Height), bottom, bottom)
}

func (c canvas) stars() {
	for i, p := range []point{
		{330, 26}, {470, 40}, {560, 130}, {700, 66}, {800, 150}, {905, 44}, {1020, 120}, {1140, 150},
		{1160, 210}, {860, 226}, {640, 36},
	} {
		c.fill(circle(p, 1.6+float64(i%3)*0.5), image.NewUniform(alpha(white, 0.7)))
	}
}

// hills draws two ranges of hills and the ground before them, which begins at a height.
func (c canvas) hills(ahead int) {
	y := float64(ahead)
	c.fill([]point{
		{0, y - 90}, {70, y - 124}, {160, y - 92}, {270, y - 150}, {360, y - 104}, {450, y - 132}, {560, y - 76},
		{680, y - 140}, {800, y - 86}, {900, y - 118}, {1000, y - 70}, {1100, y - 104}, {1200, y - 80}, {1200, y}, {0, y},
	}, image.NewUniform(far))
	c.fill([]point{
		{0, y - 36}, {140, y - 70}, {250, y - 48}, {380, y - 88}, {530, y - 42}, {650, y - 68}, {810, y - 34},
		{940, y - 80}, {1090, y - 40}, {1200, y - 62}, {1200, y}, {0, y},
	}, image.NewUniform(near))
	front := []point{{Width, Height}, {0, Height}}
	for x := 0.0; x <= Width; x += 20 {
		front = append(front, point{x, y - 5 + 5*math.Cos(x/105)})
	}
	c.fill(front, image.NewUniform(ground))
}

// course draws the end of the banner's course: platforms, the ball in its jump, and the cap zone with its flag.
func (c canvas) course() {
	for _, p := range []struct{ x, y, width float64 }{
		{640, 206, 130}, {830, 170, 96}, {1010, 190, 84}, {1150, 140, 70}, {1280, 182, 144},
	} {
		c.platform(onScene([]point{{p.x, p.y}})[0], p.width*sceneScale, sceneScale)
	}
	c.jump(point{668, 192}, point{760, 96}, point{872, 156})
	c.jump(point{872, 156}, point{950, 108}, point{1046, 176})
	c.jump(point{1046, 176}, point{1080, 84}, point{1180, 78})
	c.fill(onScene(line(point{1180, 78}, point{1268, -210}, 2)), image.NewUniform(alpha(white, 0.7)))
	ball := onScene([]point{{1180, 82}})[0]
	c.fill(circle(ball, 17*sceneScale), image.NewUniform(orange))
	c.shine(ball, 17*sceneScale)
	zone := onScene([]point{{1296, 88}, {1408, 182}})
	c.fade(image.Rect(int(zone[0].x), int(zone[0].y), int(zone[1].x), int(zone[1].y)), alpha(aqua, 0), alpha(aqua, 0.6))
	c.flag(onScene([]point{{1352, 182}})[0], 78*sceneScale, sun)
}

// jump draws the dotted way of a jump, a quadratic curve of the banner's grid.
func (c canvas) jump(from, control, to point) {
	const dots = 11
	for i := range dots + 1 {
		t := float64(i) / dots
		x := (1-t)*(1-t)*from.x + 2*t*(1-t)*control.x + t*t*to.x
		y := (1-t)*(1-t)*from.y + 2*t*(1-t)*control.y + t*t*to.y
		c.fill(circle(onScene([]point{{x, y}})[0], 2.6), image.NewUniform(alpha(white, 0.85)))
	}
}

// tinted returns a colour of the scene with a part of a skin's colour, dark enough for white text on it.
func tinted(scene, skin color.NRGBA, share float64) color.NRGBA {
	for luminance(skin) > 0.3 {
		skin = mix(skin, black, 0.1)
	}
	return mix(scene, skin, share)
}

// backdrop draws a map's picture over the whole card, darker from a height on. Without a picture it is the scene.
func (c canvas) backdrop(picture image.Image, from int) {
	if picture == nil {
		c.sky(c.Rect, skyTop, skyBottom)
		c.stars()
		c.glow(point{930, 250}, 400, alpha(warmLight, 0.9))
		c.fill(circle(point{930, 250}, 70), image.NewUniform(lowSun))
		c.hills(345)
		return
	}
	c.cover(c.Rect, picture)
	c.fade(image.Rect(0, 0, Width, 130), alpha(ground, 0.6), alpha(ground, 0))
	c.fade(image.Rect(0, from, Width, from+220), alpha(ground, 0), alpha(ground, 0.86))
	c.fade(image.Rect(0, from+220, Width, Height), alpha(ground, 0.86), alpha(ground, 0.96))
}
