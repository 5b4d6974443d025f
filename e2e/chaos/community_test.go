package chaos

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"sync/atomic"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
)

const (
	players         = 5
	mapCount        = 6       // maps that exist before the first fault
	laterMaps       = 1_000   // more than are submitted
	preparedRecords = 200_000 // more than are submitted
)

// community are the users of the site during the faults.
type community struct {
	first world.World // its maps exist before the faults, its records are submitted during them
	later world.World // its maps are submitted during the faults
	maps  []api.ParkourMap

	players  []*player
	author   *site.Visitor // submits maps
	member   *site.Visitor // refreshes the session
	nextMap  int
	accounts atomic.Int64

	accepted accepted
}

// player submits replays on the first maps, each once.
type player struct {
	*site.Visitor
	records []world.Record
}

// newCommunity logs the players in and submits the first maps.
func newCommunity(ctx context.Context) (*community, error) {
	c := &community{
		first:   world.New(11, world.Size{Players: players, Maps: mapCount, Records: preparedRecords}),
		later:   world.New(12, world.Size{Players: 1, Maps: laterMaps}),
		nextMap: mapCount, // the game's numbers of the earlier ones are taken
	}
	for i, p := range c.first.Players {
		v := capzone.Visitor()
		if _, err := v.Login(ctx, p.Account); err != nil {
			return nil, err
		}
		c.players = append(c.players, &player{Visitor: v})
		for _, record := range c.first.Records {
			if record.Player == i {
				c.players[i].records = append(c.players[i].records, record)
			}
		}
	}
	for _, v := range []**site.Visitor{&c.author, &c.member} {
		*v = capzone.Visitor()
		if _, err := (*v).Login(ctx, c.later.Players[0].Account); err != nil {
			return nil, err
		}
	}
	for i := range c.first.Maps {
		m := &c.first.Maps[i]
		submission := c.first.Submission(m)
		entry, err := c.players[m.Submitter].SubmitMap(ctx, submission)
		if err != nil {
			return nil, err
		}
		c.maps = append(c.maps, entry)
		c.accepted.addMap(entry.ID, submission.Replay)
	}
	return c, nil
}

// nextRecord returns a replay that was not submitted before.
func (c *community) nextRecord(r *player) (file []byte, want submission) {
	record := r.records[0]
	r.records = r.records[1:]
	file = c.first.Replay(record)
	return file, submission{player: r.Player.ID, mapID: c.maps[record.Map].ID, ms: record.Time, hash: hashOf(file)}
}

// nextSubmission returns a map that was not submitted before, with a small picture, which is processed quickly.
func (c *community) nextSubmission() site.MapSubmission {
	submission := c.later.Submission(&c.later.Maps[c.nextMap])
	submission.Image = smallPicture(c.nextMap)
	c.nextMap++
	return submission
}

// newAccount returns an account that has not logged in before.
func (c *community) newAccount() site.Account {
	return site.Account{Name: fmt.Sprintf("newcomer %d", c.accounts.Add(1)), Level: 10}
}

// smallPicture returns a picture that differs by number.
func smallPicture(number int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, 64, 36))
	for x := range 64 {
		for y := range 36 {
			m.Set(x, y, color.RGBA{uint8(number), uint8(number >> 8), uint8(x * y), 255})
		}
	}
	var file bytes.Buffer
	_ = png.Encode(&file, m) // a buffer takes everything
	return file.Bytes()
}
