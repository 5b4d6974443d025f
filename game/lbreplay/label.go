package lbreplay

import "strings"

// field is the meaning of a known label.
type field int

const (
	fieldUnknown field = iota
	fieldMap           // a name or map data, as its value decides
	fieldMapName
	fieldMapAuthor
	fieldMapID
	fieldMapData
	fieldGameMode
	fieldFinishTime
	fieldPlayerName
	fieldPlayerLevel
	fieldPlayerSkin
	fieldValidated
	fieldReplayVersion
	fieldGameVersion
	fieldTimestamp
)

// fields maps the accepted labels, without filling, to fields.
var fields = map[string]field{
	"map":            fieldMap,
	"mapname":        fieldMapName,
	"mapauthor":      fieldMapAuthor,
	"author":         fieldMapAuthor,
	"mapid":          fieldMapID,
	"mapdata":        fieldMapData,
	"encodedmapdata": fieldMapData,
	"gamemode":       fieldGameMode,
	"mode":           fieldGameMode,
	"finishtime":     fieldFinishTime,
	"time":           fieldFinishTime,
	"playername":     fieldPlayerName,
	"player":         fieldPlayerName,
	"playerlevel":    fieldPlayerLevel,
	"level":          fieldPlayerLevel,
	"playerskin":     fieldPlayerSkin,
	"skin":           fieldPlayerSkin,
	"validated":      fieldValidated,
	"replayversion":  fieldReplayVersion,
	"modversion":     fieldReplayVersion,
	"gameversion":    fieldGameVersion,
	"timestamp":      fieldTimestamp,
	"date":           fieldTimestamp,
}

// maxLabel is longer than any known label with filling.
const maxLabel = 64

var filling = strings.NewReplacer(" ", "", "\t", "", "_", "", "-", "")

func fieldOf(label string) field {
	if len(label) > maxLabel {
		return fieldUnknown
	}
	return fields[strings.ToLower(filling.Replace(label))]
}
