package lbreplay

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
)

// clockEnd is the first time that needs more than two digits of minutes.
const clockEnd = 100 * 60 * 1000

// Write returns the file of a replay. Its map data is r.MapData or, if that is empty, r.Map
// encoded. It leaves out fields with default values, unknown lines and, if there is map data, the
// map's author and id, for which the mod has no labels. It returns an error if [Parse] would not
// read the same replay.
func Write(r *Replay) ([]byte, error) {
	mapData, err := mapDataOf(r)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, value)
		}
		if strings.ContainsAny(value, "\r\n\x00") || value != strings.Trim(value, blanks) {
			err = errors.Join(err, fmt.Errorf("lbreplay: %s: the value does not fit into a line", label))
		}
	}
	line("Map Name", unless(UnknownName, r.MapName))
	line("Game Mode", unless(UnknownGameMode, r.GameMode))
	line("Finish Time", finishTimeText(r.FinishTime))
	line("Player Name", unless(UnknownName, r.PlayerName))
	line("Player Level", strconv.Itoa(r.PlayerLevel))
	line("Validated", strconv.FormatBool(r.Validated))
	line("Replay Version", r.ReplayVersion)
	line("Game Version", r.GameVersion)
	if !r.TimestampMissing {
		line("Timestamp", r.Timestamp.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	line("Player Skin", r.PlayerSkin)
	if mapData == "" {
		line("Map Author", unless(UnknownName, r.MapAuthor))
		line("Map ID", unless(strconv.Itoa(UnknownMapID), strconv.Itoa(r.MapID)))
	}
	line("Map Data", mapData)
	if err != nil {
		return nil, err
	}
	file := []byte(b.String())
	if _, err := Parse(file, time.Time{}); err != nil {
		return nil, fmt.Errorf("the replay would not be readable: %w", err)
	}
	return file, nil
}

func mapDataOf(r *Replay) (string, error) {
	if r.MapData != "" || r.Map == nil {
		return r.MapData, nil
	}
	return bonkmap.Encode(r.Map)
}

func finishTimeText(ms int) string {
	if ms < 0 || ms >= clockEnd {
		return strconv.Itoa(ms)
	}
	return racetime.Format(ms)
}

func unless(usual, value string) string {
	if value == usual {
		return ""
	}
	return value
}
