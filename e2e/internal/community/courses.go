package community

import (
	"fmt"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapgen"
	"capzone.dev/game/racetime"
)

// Course is a map with real physics, on which runs are handed in.
type Course struct {
	number int
	course mapgen.Course
	data   string // the map string
}

// ID is the map's id.
func (c Course) ID() string { return MapID(c.number) }

// NewCourses draws the courses.
func NewCourses() ([]Course, error) {
	all := make([]Course, Courses)
	modes := bonkmap.ParkourModes()
	for i := range all {
		n := FirstCourse + i
		c := mapgen.Draw(mapgen.Options{
			Seed: uint64(n), Mode: modes[i%len(modes)], Name: MapName(n), Author: PlayerName(author(n)), ID: gameID(n),
		})
		data, err := bonkmap.Encode(c.Map)
		if err != nil {
			return nil, fmt.Errorf("course %d: %w", i, err)
		}
		all[i] = Course{n, c, data}
	}
	return all, nil
}

// Replay is the file of a player's run, recorded at a moment of its own.
func (c Course) Replay(player, ms int, at time.Time) ([]byte, error) {
	return lbreplay.Write(&lbreplay.Replay{
		MapName: c.course.Map.Name, MapAuthor: c.course.Map.Author, MapID: c.course.Map.ID,
		GameMode: c.course.Map.Mode.String(), FinishTime: ms, PlayerName: PlayerName(player), PlayerLevel: 1 + player%400,
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: at, MapData: c.data,
	})
}

// Time is a finish time that suits the course: a factor of the time of a good run, on a frame.
func (c Course) Time(factor float64) int { return racetime.Snap(int(factor * float64(c.course.Par))) }

// gameID is the game's own number of a map.
func gameID(mapNumber int) int { return mapNumber + 1 }
