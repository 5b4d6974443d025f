package world

import (
	"bytes"
	"image/jpeg"
	"math/rand/v2"
	"time"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/mapgen"
	"capzone.dev/game/racetime"
)

// Map is a map and who hands it in.
type Map struct {
	Course    mapgen.Course
	Submitter int // index of the player
	Foreign   bool
	Time      int // of the submitter's run, in milliseconds
	At        time.Time
	Medals    *api.MedalTimes // nil leaves the site's own

	data       string // the map string
	popularity float64
}

// authorShare is the part of the players who make maps.
const authorShare = 5

func makeMaps(r *rand.Rand, players []Player, size Size) []Map {
	all := make([]Map, size.Maps+size.Foreign)
	modes := bonkmap.ParkourModes()
	authors := max(1, len(players)/authorShare)
	for i := range all {
		m := &all[i]
		m.Foreign = i >= size.Maps
		m.Submitter = r.IntN(authors)
		author := players[m.Submitter].Account.Name
		if m.Foreign {
			m.Submitter = min(validator+i%2, len(players)-1)
			author = foreignAuthor(i % 4)
		}
		m.Course = mapgen.Draw(mapgen.Options{
			Seed: r.Uint64(), Mode: modes[i%len(modes)], Name: mapgen.MapName(i), Author: author, ID: gameID(i),
		})
		var err error
		m.data, err = bonkmap.Encode(m.Course.Map)
		check(err, "map %d", i)
		m.At = clock(r, firstMap, lastRun.AddDate(0, -1, 0))
		m.Time = racetime.Snap(int(float64(m.Course.Par) * (1 + 0.1*r.Float64())))
		// Some maps are everybody's, most are a few people's.
		m.popularity = 1 / float64(1+r.IntN(len(all)))
		if !m.Foreign && r.IntN(3) == 0 {
			m.Medals = ownMedals(r, m.Time)
		}
	}
	return all
}

// ownMedals are times that an author has chosen, stricter or more generous than the usual.
func ownMedals(r *rand.Rand, author int) *api.MedalTimes {
	step := 0.03 + 0.12*r.Float64()
	at := func(steps float64) *int {
		ms := racetime.Snap(int(float64(author) * (1 + steps*step)))
		return &ms
	}
	return &api.MedalTimes{Author: &author, Gold: at(1), Silver: at(3), Bronze: at(6)}
}

const (
	pictureWidth, pictureHeight = 960, 540
	pictureQuality              = 88
)

// Submission is the map as its submitter hands it in.
func (w *World) Submission(m *Map) site.MapSubmission {
	var picture bytes.Buffer
	err := jpeg.Encode(&picture, mapgen.Picture(m.Course.Map, pictureWidth, pictureHeight), &jpeg.Options{Quality: pictureQuality})
	check(err, "picture of %s", m.Course.Map.Name)
	return site.MapSubmission{
		Replay:   w.replay(m, m.Submitter, m.Time, m.At),
		Image:    picture.Bytes(),
		Metadata: api.MapMetadata{Description: m.Course.Description, Tags: m.Course.Tags, MedalTimes: requested(m.Medals)},
	}
}

// requested returns medal times as a submission states them; a missing one is 0.
func requested(medals *api.MedalTimes) *api.RequestedMedalTimes {
	if medals == nil {
		return nil
	}
	var r api.RequestedMedalTimes
	for to, from := range map[*int]*int{
		&r.Author: medals.Author, &r.Gold: medals.Gold, &r.Silver: medals.Silver, &r.Bronze: medals.Bronze,
	} {
		if from != nil {
			*to = *from
		}
	}
	return &r
}
