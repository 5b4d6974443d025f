package world

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"

	"capzone.dev/e2e/site"
	"capzone.dev/game/mapgen"
)

// Player is somebody with a game account.
type Player struct {
	Account site.Account
	Roles   []string
	Avatar  []byte // PNG, nil for those who keep the skin's colour

	skill    float64 // 0 is average, 1 is better than five of six
	activity float64 // how often they play
	colour   color.RGBA
}

// The first players hold the offices.
const (
	admin = iota
	moderator
	validator
	secondValidator
)

var offices = map[int][]string{
	admin:           {"admin"},
	moderator:       {"moderator"},
	validator:       {"validator"},
	secondValidator: {"validator", "mapper"},
}

// badges are given to some of the others.
var badges = []string{"mapper", "speedrunner", "tester", "veteran"}

func makePlayers(r *rand.Rand, count int) []Player {
	players := make([]Player, count)
	for i := range players {
		p := &players[i]
		p.skill = r.NormFloat64()
		// A few play all the time, most now and then.
		p.activity = 1 / (0.05 + r.Float64())
		p.colour = colour(r)
		level := min(500, max(1, int(12*r.ExpFloat64()+18*(1+p.skill))))
		p.Account = site.Account{Name: mapgen.PlayerName(i), Level: level, Skin: skin(p.colour)}
		if p.Roles = offices[i]; p.Roles == nil && r.IntN(12) == 0 {
			p.Roles = []string{badges[r.IntN(len(badges))]}
		}
		if i%5 == 0 {
			p.Avatar = avatar(r, p.colour)
		}
	}
	return players
}

func skin(c color.RGBA) json.RawMessage {
	base := int(c.R)<<16 | int(c.G)<<8 | int(c.B)
	return json.RawMessage(fmt.Sprintf(`{"layers":[],"bc":%d}`, base))
}

func colour(r *rand.Rand) color.RGBA {
	channel := func() uint8 { return uint8(60 + r.IntN(180)) }
	return color.RGBA{channel(), channel(), channel(), 255}
}

// avatar is a symmetrical pattern of tiles on the skin's colour.
func avatar(r *rand.Rand, ground color.RGBA) []byte {
	const tiles, side = 7, 32
	picture := image.NewRGBA(image.Rect(0, 0, tiles*side, tiles*side))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	ink := image.NewUniform(colour(r))
	for y := range tiles {
		for x := range (tiles + 1) / 2 {
			if r.IntN(2) == 0 {
				continue
			}
			for _, column := range []int{x, tiles - 1 - x} {
				tile := image.Rect(column*side, y*side, (column+1)*side, (y+1)*side)
				draw.Draw(picture, tile, ink, image.Point{}, draw.Src)
			}
		}
	}
	var file bytes.Buffer
	check(png.Encode(&file, picture), "avatar")
	return file.Bytes()
}
