package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

func toWire(e parkourmap.Entry) ParkourMap {
	return ParkourMap{
		UnderscoreId: e.ID,
		Name:         e.Name,
		ImageUrl:     "/media/" + e.Files.Image,
		ThumbnailUrl: "/media/" + e.Files.Thumbnail,
		GameMode:     GameMode(e.Mode.String()),
		CreatedAt:    timeText(e.CreatedAt),
		UpdatedAt:    timeText(e.UpdatedAt),
		Author:       playerRef(e.Author),
		SubmittedBy:  playerRef(e.SubmittedBy),
		Tags:         append([]string{}, e.Tags...),
		RecordCount:  e.Records,
		MedalTimes:   medalTimes(e.Map),
		Description:  e.Description,
		BonkDbId:     e.GameMapID,
		BonkDBID:     e.GameMapID,
		Contributors: append([]string{}, e.Contributors...),
		RemixOf:      remixOf(e.RemixOf),
	}
}

func playerRef(p parkourmap.Player) PlayerRef {
	return PlayerRef{
		UnderscoreId: p.ID, Name: p.Name, SkinImageUrl: orNull(p.SkinImageURL), SkinColor: orNull(p.SkinColor),
	}
}

func medalTimes(m parkourmap.Map) MedalTimes {
	if m.Medals == nil {
		return MedalTimes{}
	}
	ms := func(time int) *int64 {
		wide := int64(time)
		return &wide
	}
	return MedalTimes{
		Author: ms(m.Medals.Author), Gold: ms(m.Medals.Gold), Silver: ms(m.Medals.Silver), Bronze: ms(m.Medals.Bronze),
	}
}

func remixOf(original *parkourmap.Remix) *RemixCredit {
	if original == nil {
		return nil
	}
	return &RemixCredit{BonkDbId: original.GameMapID, Name: original.Name, Author: original.Author}
}

// timeText is RFC 3339 in UTC, always with milliseconds.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// searchOf returns the filters and the order of a request. It returns the errors of
// parkourmap.ParseSort and ParseMode.
func searchOf(params SearchMapsParams) (parkourmap.Search, error) {
	sort, descending, err := parkourmap.ParseSort(string(orZero(params.SortBy)), string(orZero(params.SortDir)))
	if err != nil {
		return parkourmap.Search{}, err
	}
	mode, err := parkourmap.ParseMode(string(orZero(params.GameMode)))
	if err != nil {
		return parkourmap.Search{}, err
	}
	return parkourmap.Search{
		Name: orZero(params.Name), Author: orZero(params.Author), AuthorID: orZero(params.AuthorId),
		Mode: mode, Tags: parkourmap.ParseTags(orZero(params.Tags)),
		SortBy: sort, Descending: descending,
	}, nil
}

// maxMetadata is the size of the largest metadata, in bytes.
const maxMetadata = 64 << 10

// readMetadata parses the JSON text of a form's field and checks it against its schema in the
// contract; an empty text is an empty object. Unknown fields are ignored. It returns
// parkourmap.ErrMetadataMalformed, or parkourmap.ErrMetadataRefused with the fields that are
// out of their ranges.
func readMetadata(text []byte) (parkourmap.Metadata, error) {
	if len(text) > maxMetadata {
		err := fmt.Errorf("more than %d bytes", maxMetadata)
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return parkourmap.Metadata{}, nil
	}
	invalid, err := httpserve.CheckSchema(GetSpec, "MapMetadata", text)
	if err != nil {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	if len(invalid) > 0 {
		refused := *parkourmap.ErrMetadataRefused
		refused.Fields = invalid
		return parkourmap.Metadata{}, &refused
	}
	var read MapMetadata
	if err := json.Unmarshal(text, &read); err != nil {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	metadata := parkourmap.Metadata{Description: orZero(read.Description), Tags: orZero(read.Tags)}
	if times := read.MedalTimes; times != nil {
		metadata.Medals = parkourmap.RequestedMedals{
			Author: times.Author, Gold: times.Gold, Silver: times.Silver, Bronze: times.Bronze,
		}
	}
	return metadata, nil
}

// orZero returns the value of an optional parameter, or the zero value.
func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}
