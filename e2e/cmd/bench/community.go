package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/google/uuid"

	"capzone.dev/game/mapgen"
)

// size says how large the community is.
type size struct {
	Players, Maps, RunsPerMap int
}

func (s size) runs() int { return s.Players + (s.Maps-1)*s.RunsPerMap }

func (s size) check() error {
	if s.Players < 5000 || s.Maps < 100 || s.RunsPerMap < 0 || s.RunsPerMap > s.Players {
		return errors.New("at least 5000 players and 100 maps; no more runs on a map than players")
	}
	return nil
}

// community is invented, the same each time but for its ids.
type community struct {
	size    size
	players []player
	maps    []parkourMap
	runs    []finish
}

type player struct {
	id   uuid.UUID
	name string
}

type parkourMap struct {
	id     uuid.UUID
	name   string
	author player
}

type finish struct {
	id         uuid.UUID
	on         parkourMap
	by         player
	finishTime int // milliseconds
	stamp      time.Time
}

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newCommunity(s size) *community {
	c := &community{size: s}
	random := rand.New(rand.NewPCG(2, 3)) //nolint:gosec // the same community each time
	for i := range s.Players {
		c.players = append(c.players, player{uuid.Must(uuid.NewV7()), mapgen.PlayerName(i)})
	}
	for i := range s.Maps {
		c.maps = append(c.maps, parkourMap{uuid.Must(uuid.NewV7()), mapgen.MapName(i), c.players[random.IntN(s.Players)]})
	}
	for i, m := range c.maps {
		n := s.RunsPerMap
		if i == 0 {
			n = s.Players
		}
		first := random.IntN(s.Players)
		for j := range n {
			by := c.players[(first+j)%s.Players]
			// Times pile up a little above the best, with a long tail.
			frames := 900 + int(300*random.ExpFloat64())
			c.runs = append(c.runs, finish{
				uuid.Must(uuid.NewV7()), m, by, frames * 1000 / 30,
				epoch.Add(time.Duration(len(c.runs)) * time.Second),
			})
		}
	}
	return c
}

// reads are the pages that are measured.
func (c *community) reads() []read {
	board := func(mapID uuid.UUID, offset int) string {
		return fmt.Sprintf("/records?map=%s&limit=10&offset=%d&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc", mapID, offset)
	}
	return []read{
		{fmt.Sprintf("leaderboard of %d, page 1", c.size.Players), func(*rand.Rand) string { return board(c.maps[0].id, 0) }},
		{fmt.Sprintf("leaderboard of %d, page 500", c.size.Players), func(*rand.Rand) string { return board(c.maps[0].id, 4990) }},
		{"leaderboard of a random map", func(r *rand.Rand) string { return board(c.maps[r.IntN(len(c.maps))].id, 0) }},
		{"a run with its rank", func(r *rand.Rand) string { return "/records/" + c.runs[r.IntN(c.size.Players)].id.String() }},
		{"newest maps", func(*rand.Rand) string { return "/maps/search?limit=12&sortBy=createdAt&sortDir=desc" }},
		{"maps by a part of 2 letters", func(r *rand.Rand) string { return "/maps/search?name=" + c.partOfMap(r, 2) }},
		{"maps by a part of 4 letters", func(r *rand.Rand) string { return "/maps/search?name=" + c.partOfMap(r, 4) }},
		{"players by a part of 2 letters", func(r *rand.Rand) string { return "/players/search?name=" + c.partOfPlayer(r, 2) }},
		{"players by a part of 4 letters", func(r *rand.Rand) string { return "/players/search?name=" + c.partOfPlayer(r, 4) }},
		{"totals", func(*rand.Rand) string { return "/stats" }},
	}
}

func (c *community) partOfMap(r *rand.Rand, n int) string {
	return part(r, c.maps[r.IntN(len(c.maps))].name, n)
}

func (c *community) partOfPlayer(r *rand.Rand, n int) string {
	return part(r, c.players[r.IntN(len(c.players))].name, n)
}

// part returns n characters from somewhere in a name.
func part(r *rand.Rand, name string, n int) string {
	runes := []rune(name)
	if len(runes) <= n {
		return url.QueryEscape(name)
	}
	at := r.IntN(len(runes) - n + 1)
	return url.QueryEscape(string(runes[at : at+n]))
}
