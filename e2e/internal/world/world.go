// Package world invents players, maps and records for a site: the same ones from the same seed, down to the bytes of
// their files, so that a site recognises what it was given before.
package world

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"slices"
	"time"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/mapgen"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapimage"
	"capzone.dev/game/racetime"
)

// Size is how much to invent.
type Size struct {
	Players int
	Maps    int // by players of the world, submitted by themselves
	Foreign int // by authors without an account, submitted by a validator
	Records int // besides the ones that maps are submitted with
	// Drawn and Versions are how many of the last of Maps are submitted without an image, and get a
	// second version.
	Drawn, Versions int
}

// World is what there is to submit.
type World struct {
	Players []Player
	Maps    []Map
	Records []Record
	// Versions are the second versions of some of Maps, to be submitted after these.
	Versions []Map
}

// Player has a game account.
type Player struct {
	Account site.Account
	Roles   []string
	Avatar  []byte // PNG, nil for players without one

	skill float64
}

// Map is a map and its submission.
type Map struct {
	Course    mapgen.Course
	Submitter int // index of the player
	Foreign   bool
	Drawn     bool // without an image
	Time      int  // of the submitter's record, in milliseconds
	At        time.Time
	Medals    *api.RequestedMedalTimes // nil for the site's own

	data string // the map string
}

// Record is one finish of a player on a map.
type Record struct {
	Player, Map int // indexes
	Time        int // milliseconds, on a frame of the game
	At          time.Time
}

// The world's time lies in the past of every clock and does not move: a record is recognised by its time stamp.
var (
	firstMap   = time.Date(2025, 1, 4, 9, 0, 0, 0, time.UTC)
	lastRecord = time.Date(2025, 12, 20, 22, 0, 0, 0, time.UTC)
)

// roles are those of the first players; badges are given to some of the others.
var (
	roles  = [][]string{{"admin"}, {"moderator"}, {"validator"}, {"validator", "mapper"}}
	badges = []string{"mapper", "speedrunner", "tester", "veteran"}
)

const (
	validator    = 2       // index of the first player with the role
	foreignNames = 100_000 // index of the first name that no player has
)

// New invents a world.
func New(seed uint64, size Size) World {
	r := rand.New(rand.NewPCG(seed, 0))
	var w World
	for i := range size.Players {
		w.Players = append(w.Players, newPlayer(r, i))
	}
	for i := range size.Maps + size.Foreign {
		w.Maps = append(w.Maps, newMap(r, w.Players, i, size))
	}
	w.Records = newRecords(r, w.Players, w.Maps, size.Records)
	for i := size.Maps - size.Versions; i < size.Maps; i++ {
		w.Versions = append(w.Versions, newVersion(w.Maps[i]))
	}
	return w
}

// newVersion returns a second version of a map: another course with the same id, a week later.
func newVersion(first Map) Map {
	version, m := first, first.Course.Map
	version.Course = mapgen.Generate(mapgen.Options{
		Seed: uint64(m.ID), Mode: m.Mode, Name: m.Name, Author: m.Author, ID: m.ID,
	})
	data, err := bonkmap.Encode(version.Course.Map)
	must(err)
	version.data = data
	version.At = first.At.AddDate(0, 0, 7)
	version.Time, version.Medals = racetime.Snap(version.Course.Par), nil
	return version
}

func newPlayer(r *rand.Rand, i int) Player {
	p := Player{skill: r.NormFloat64()}
	p.Account = site.Account{
		Name: mapgen.PlayerName(i), Level: min(500, max(1, int(12*r.ExpFloat64()+18*(1+p.skill)))),
		Skin: fmt.Appendf(nil, `{"layers":[],"bc":%d}`, r.IntN(1<<24)),
	}
	if i < len(roles) {
		p.Roles = roles[i]
	} else if r.IntN(12) == 0 {
		p.Roles = []string{badges[r.IntN(len(badges))]}
	}
	if i%5 == 0 {
		p.Avatar = newAvatar(r)
	}
	return p
}

// newAvatar draws a small course.
func newAvatar(r *rand.Rand) []byte {
	course := mapgen.Generate(mapgen.Options{
		Seed: r.Uint64(), Mode: bonkmap.ParkourModes()[0], Name: "avatar", Author: "avatar", ID: 1,
	})
	drawing, err := mapimage.Image(course.Map, 224, 224)
	must(err)
	var file bytes.Buffer
	must(png.Encode(&file, drawing))
	return file.Bytes()
}

func newMap(r *rand.Rand, players []Player, i int, size Size) Map {
	m := Map{
		Foreign: i >= size.Maps, Drawn: i >= size.Maps-size.Drawn && i < size.Maps,
		Submitter: r.IntN(max(1, len(players)/5)),
	}
	author := players[m.Submitter].Account.Name
	if m.Foreign {
		m.Submitter = min(validator+i%2, len(players)-1)
		author = mapgen.PlayerName(foreignNames + i%4)
	}
	modes := bonkmap.ParkourModes()
	m.Course = mapgen.Generate(mapgen.Options{
		Seed: r.Uint64(), Mode: modes[i%len(modes)], Name: mapgen.MapName(i), Author: author, ID: 4_200_000 + 37*i,
	})
	saved := *m.Course.Map
	if i%3 == 0 { // as most maps of the game; the label of the replay has the mode
		saved.Mode = bonkmap.NoMode
	}
	data, err := bonkmap.Encode(&saved)
	must(err)
	m.data = data
	m.At = newTime(r, firstMap, lastRecord.AddDate(0, -1, 0))
	m.Time = racetime.Snap(int(float64(m.Course.Par) * (1 + 0.1*r.Float64())))
	if !m.Foreign && r.IntN(3) == 0 {
		step := 0.03 + 0.12*r.Float64()
		medal := func(steps float64) int { return racetime.Snap(int(float64(m.Time) * (1 + steps*step))) }
		m.Medals = &api.RequestedMedalTimes{
			Author: new(m.Time), Gold: new(medal(1)), Silver: new(medal(3)), Bronze: new(medal(6)),
		}
	}
	return m
}

func newTime(r *rand.Rand, from, to time.Time) time.Time {
	return from.Add(time.Duration(r.Int64N(int64(to.Sub(from))))).Truncate(time.Millisecond)
}

// newRecords invents records in the order of time. A finish time is the course's par times the player's skill and the
// form of the day.
func newRecords(r *rand.Rand, players []Player, maps []Map, count int) []Record {
	records := make([]Record, count)
	for i := range records {
		record := &records[i]
		record.Player, record.Map = skewed(r, len(players)), skewed(r, len(maps))
		record.At = newTime(r, maps[record.Map].At.Add(time.Hour), lastRecord)
		record.Time = newFinishTime(r, players[record.Player], maps[record.Map])
	}
	slices.SortStableFunc(records, func(a, b Record) int { return a.At.Compare(b.At) })
	return records
}

func newFinishTime(r *rand.Rand, p Player, m Map) int {
	pars := 1.19 - 0.13*p.skill + 0.06*r.NormFloat64() + 0.09*r.ExpFloat64()
	if pars < 1 {
		pars = 1 - 0.35*(1-pars)
	}
	return racetime.Snap(int(pars * float64(m.Course.Par)))
}

// NewRecord invents one more record, of another time than those of the world.
func (w *World) NewRecord(r *rand.Rand, at time.Time) Record {
	record := Record{Player: skewed(r, len(w.Players)), Map: skewed(r, len(w.Maps)), At: at.Truncate(time.Millisecond)}
	record.Time = newFinishTime(r, w.Players[record.Player], w.Maps[record.Map])
	return record
}

// skewed returns an index below n. Small ones are more frequent, so that some players and maps are busier than
// others.
func skewed(r *rand.Rand, n int) int {
	x := r.Float64()
	return int(x * x * float64(n))
}

// Submission returns the map as its submitter submits it.
func (w *World) Submission(m *Map) site.MapSubmission {
	submission := site.MapSubmission{
		Replay: w.replay(m, m.Submitter, m.Time, m.At), UseDrawing: m.Drawn,
		Metadata: api.MapMetadata{Description: new(m.Course.Description), Tags: new(m.Course.Tags), MedalTimes: m.Medals},
	}
	if m.Drawn {
		return submission
	}
	drawing, err := mapimage.Image(m.Course.Map, 960, 540)
	must(err)
	var picture bytes.Buffer
	must(jpeg.Encode(&picture, drawing, &jpeg.Options{Quality: 88}))
	submission.Image = picture.Bytes()
	return submission
}

// Replay returns the file of a record.
func (w *World) Replay(record Record) []byte {
	return w.replay(&w.Maps[record.Map], record.Player, record.Time, record.At)
}

func (w *World) replay(m *Map, player, ms int, at time.Time) []byte {
	account := w.Players[player].Account
	file, err := lbreplay.Write(&lbreplay.Replay{
		MapName: m.Course.Map.Name, MapAuthor: m.Course.Map.Author, MapID: m.Course.Map.ID,
		GameMode: m.Course.Map.Mode.String(), FinishTime: ms,
		PlayerName: account.Name, PlayerLevel: account.Level, PlayerSkin: string(account.Skin),
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: at, MapData: m.data,
	})
	must(err)
	return file
}

// must panics on a mistake in this package.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
