// Package parkourmaptest makes maps and replays for tests.
package parkourmaptest

import (
	"fmt"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

// PlayerID returns the id of the n-th player.
func PlayerID(n int) string { return fmt.Sprintf("0198c2f4-0000-7000-8000-%012d", n) }

// MapID returns the id of the n-th map of NewMap.
func MapID(n int) string { return fmt.Sprintf("0198c2f4-0000-7000-9000-%012d", n) }

// NewMap returns the n-th map as its first player has submitted it, as alter changes it.
func NewMap(n int, alter ...func(*parkourmap.Map)) parkourmap.Candidate {
	at := FinishedAt.Add(time.Duration(n) * time.Minute)
	m := parkourmap.Map{
		ID: MapID(n), Version: 1, MapVersion: 1, GameMapID: int64(1000 + n), Name: fmt.Sprintf("Map %d", n),
		Mode:     bonkmap.Classic,
		AuthorID: PlayerID(1), SubmittedByID: PlayerID(1), Tags: []string{}, Contributors: []string{},
		Fingerprint: "f",
		Files:       parkourmap.FileKeys{Image: "maps/i.webp", Thumbnail: "maps/i-480.webp", Replay: "replays/r.lbReplay"},
		CreatedAt:   at, UpdatedAt: at,
	}
	for _, a := range alter {
		a(&m)
	}
	m.DrawingDue = m.Files.Drawing == ""
	return parkourmap.Candidate{
		Map: m, EncodedMap: fmt.Sprint("ILAcJ", n),
		By: access.Attribution{Actor: access.Player(m.SubmittedByID, "", []string{access.Validator})},
		Replay: event.MapCreated{
			ReplayKey:  m.Files.Replay,
			FinishTime: 41267, FinishTimeStamp: at,
		},
	}
}
