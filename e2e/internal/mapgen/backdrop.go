package mapgen

import (
	"math"

	"capzone.dev/game/bonkmap"
)

// scene is the scenery behind the course.
type scene string

const (
	sceneHills scene = "hills"
	scenePeaks scene = "peaks"
	sceneStars scene = "space"
)

// backdrop adds the sky, a sun or moon, and the scene. None of it collides.
func (s *sketch) backdrop() {
	s.scene = []scene{sceneHills, scenePeaks, sceneStars}[s.random.IntN(3)]
	s.mirror = s.chance(0.5)
	s.body("sky", bonkmap.Point{}, part{shape: box(0, 0, 3000, 2000), colour: s.theme.sky, ghost: true})
	s.light()
	switch s.scene {
	case sceneHills:
		s.ridges(7, 0.5)
	case scenePeaks:
		s.ridges(1, 1)
	case sceneStars:
		s.stars()
	}
}

// light adds a sun or a moon with a halo.
func (s *sketch) light() {
	at := bonkmap.Point{X: s.between(left+140, right-140), Y: s.between(top+70, -20)}
	radius := s.between(34, 58)
	s.body("light", at,
		part{shape: disc(0, 0, radius*1.5), colour: blend(s.theme.sky, s.theme.light, 0.12), ghost: true},
		part{shape: disc(0, 0, radius*1.22), colour: blend(s.theme.sky, s.theme.light, 0.25), ghost: true},
		part{shape: disc(0, 0, radius), colour: blend(s.theme.sky, s.theme.light, 0.8), ghost: true},
	)
}

// ridges adds two chains of mountains, one behind the other. A mountain with a single corner is a
// peak, one with several is round.
func (s *sketch) ridges(corners int, height float64) {
	const reach = 1100.0
	for layer, colour := range []uint32{s.theme.far, s.theme.near} {
		base := 90.0 + 110*float64(layer)
		from := -reach
		for from < reach {
			width := s.between(190, 330)
			rise := s.between(90, 210) * height
			outline := []float64{width, 700 - base, 0, 700 - base, 0, 0}
			for i := 1; i <= corners; i++ {
				along := float64(i) / float64(corners+1)
				outline = append(outline, width*along, -rise*math.Sin(math.Pi*along))
			}
			outline = append(outline, width, 0)
			s.body("ridge", bonkmap.Point{X: from, Y: base},
				part{shape: polygon(outline...), colour: colour, ghost: true})
			from += width - 1
		}
	}
}

func (s *sketch) stars() {
	var parts []part
	for range 50 {
		colour := blend(s.theme.sky, s.theme.light, s.between(0.3, 0.95))
		parts = append(parts, part{shape: disc(s.between(-700, 700), s.between(-420, 380), s.between(0.7, 2.4)),
			colour: colour, ghost: true})
	}
	s.body("stars", bonkmap.Point{}, parts...)
	planet := s.between(60, 110)
	s.body("planet", bonkmap.Point{X: s.between(left, right), Y: s.between(60, 240)},
		part{shape: disc(0, 0, planet), colour: s.theme.far, ghost: true},
		part{shape: turnedBox(planet*3.1, 7, -0.3), colour: blend(s.theme.far, s.theme.light, 0.35), ghost: true},
	)
}

// blend mixes two colours; 0 is the first, 1 the second.
func blend(a, b uint32, share float64) uint32 {
	mixed := uint32(0)
	for _, shift := range []int{16, 8, 0} {
		from, to := float64(a>>shift&0xFF), float64(b>>shift&0xFF)
		mixed |= uint32(math.Round(from+(to-from)*share)) << shift
	}
	return mixed
}
