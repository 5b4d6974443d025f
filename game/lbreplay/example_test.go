package lbreplay_test

import (
	"errors"
	"fmt"
	"time"

	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
)

func ExampleParse() {
	file := []byte("Map Name: Skyline Run\nPlayer Name: riverfox\nFinish Time: 00:57.23\nValidated: true\n")
	replay, err := lbreplay.Parse(file, time.Now())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(replay.PlayerName, racetime.Format(replay.FinishTime), replay.FinishTime)
	// Output: riverfox 00:57.23 57233
}

func ExampleWrite() {
	file, err := lbreplay.Write(&lbreplay.Replay{
		MapName: "Skyline Run", GameMode: "Classic", FinishTime: 57233, PlayerName: "riverfox", PlayerLevel: 102,
		MapAuthor: lbreplay.UnknownName, MapID: lbreplay.UnknownMapID, Validated: true,
		Timestamp: time.Date(2026, time.February, 14, 22, 31, 55, 0, time.UTC),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(file))
	// Output:
	// Map Name: Skyline Run
	// Game Mode: Classic
	// Finish Time: 00:57.23
	// Player Name: riverfox
	// Player Level: 102
	// Validated: true
	// Timestamp: 2026-02-14T22:31:55.000Z
}

func ExampleParse_error() {
	_, err := lbreplay.Parse([]byte("Player Name: riverfox\nFinish Time: soon\n"), time.Now())
	fmt.Println(err)
	fmt.Println(errors.Is(err, lbreplay.ErrBadFinishTime))
	// Output:
	// lbreplay: line 2: the finish time is not a time from 0 to 24 hours
	// true
}
