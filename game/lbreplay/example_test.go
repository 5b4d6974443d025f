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

func ExampleParse_error() {
	_, err := lbreplay.Parse([]byte("Player Name: riverfox\nFinish Time: soon\n"), time.Now())
	fmt.Println(err)
	fmt.Println(errors.Is(err, lbreplay.ErrBadFinishTime))
	// Output:
	// lbreplay: line 2: the finish time is not a time from 0 to 24 hours
	// true
}
