package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	maxMetadata = 64 << 10 // bytes
	maxFlag     = 16       // bytes
	// MaxBody bounds a request, as the gateway does. It is larger than the parts together, so
	// that most images that are too large get an answer that names them.
	MaxBody = 8 << 20
)

// SubmitMap implements POST /maps/submit.
func (s *Server) SubmitMap(ctx context.Context, req SubmitMapRequestObject) (SubmitMapResponseObject, error) {
	submitted, err := s.submitMap(ctx, req)
	s.Metrics.submissions.Count(err)
	if err != nil {
		return nil, err
	}
	keys := append(keysOfEntry(submitted.Entry), httpserve.MapsKey, httpserve.StatsKey)
	if submitted.Superseded != "" {
		keys = append(keys, httpserve.MapKey(submitted.Superseded))
	}
	httpserve.TagChanged(ctx, keys...)
	if !submitted.Created {
		return SubmitMap200JSONResponse{Success: true, Data: toWire(submitted.Entry)}, nil
	}
	return SubmitMap201JSONResponse{Success: true, Data: toWire(submitted.Entry)}, nil
}

func (s *Server) submitMap(ctx context.Context, req SubmitMapRequestObject) (parkourmap.Submitted, error) {
	actor := httpserve.ActorOf(ctx)
	form, err := httpserve.ReadForm(ctx, actor.ID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: parkourmap.MaxReplaySize, TooLarge: parkourmap.ErrReplayTooLarge},
		httpserve.FormPart{Name: "mapImage", Max: parkourmap.MaxImageSize, Cut: true},
		httpserve.FormPart{Name: "metadata", Max: maxMetadata, Cut: true},
		httpserve.FormPart{Name: "useDrawing", Max: maxFlag},
	)
	if err != nil {
		return parkourmap.Submitted{}, err
	}
	defer form.Close()
	metadata, err := readMetadata("MapSubmissionMetadata", form.Bytes("metadata"))
	if err != nil {
		return parkourmap.Submitted{}, err
	}
	return s.Submitter.Submit(ctx, parkourmap.Submission{
		By:         actor,
		Replay:     form.Bytes("replayFile"),
		Image:      form.Bytes("mapImage"),
		UseDrawing: form.Text("useDrawing") == "true",
		Metadata:   metadata,
	})
}

// contract returns the service's contract, which is parsed at the first form.
var contract = sync.OnceValues(GetSpec)

// readMetadata parses the JSON text of a form's field and checks it against the schema of a name in
// the contract; an empty text is an empty object. Unknown fields are ignored. It returns
// parkourmap.ErrMetadataMalformed, or parkourmap.ErrMetadataRefused with the fields that are
// out of their ranges.
func readMetadata(schema string, text []byte) (parkourmap.Metadata, error) {
	if len(text) > maxMetadata {
		err := fmt.Errorf("more than %d bytes", maxMetadata)
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return parkourmap.Metadata{}, nil
	}
	invalid, err := httpserve.CheckSchema(contract, schema, text)
	if err != nil {
		malformed := parkourmap.ErrMetadataMalformed.Wrap(err)
		if len(invalid) > 0 {
			malformed = malformed.WithFields(invalid)
		}
		return parkourmap.Metadata{}, malformed
	}
	if len(invalid) > 0 {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataRefused.WithFields(invalid)
	}
	var read MapSubmissionMetadata
	if err := json.Unmarshal(text, &read); err != nil {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	metadata := parkourmap.Metadata{Description: read.Description, Tags: httpserve.OrZero(read.Tags)}
	metadata.Mode, _ = bonkmap.ModeNamed(string(httpserve.OrZero(read.GameMode)))
	metadata.WrongOwnerReason = access.Reason(httpserve.OrZero(read.WrongOwnerReason))
	if times := read.MedalTimes; times != nil {
		metadata.Medals = parkourmap.RequestedMedals{
			Author: times.Author, Gold: times.Gold, Silver: times.Silver, Bronze: times.Bronze,
		}
	}
	return metadata, nil
}

// DrawMap implements POST /maps/drawing.
func (s *Server) DrawMap(ctx context.Context, req DrawMapRequestObject) (DrawMapResponseObject, error) {
	actor := httpserve.ActorOf(ctx)
	form, err := httpserve.ReadForm(ctx, actor.ID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: parkourmap.MaxReplaySize, TooLarge: parkourmap.ErrReplayTooLarge},
		httpserve.FormPart{Name: "gameMode", Max: maxFlag},
	)
	if err != nil {
		return nil, err
	}
	defer form.Close()
	mode, err := parkourmap.ParseMode(form.Text("gameMode"))
	if err != nil {
		return nil, err
	}
	if mode == bonkmap.NoMode {
		mode = bonkmap.Classic
	}
	svg, err := s.Submitter.Draw(ctx, actor, form.Bytes("replayFile"), mode)
	return DrawMap200ImagesvgXmlResponse{Body: bytes.NewReader(svg), ContentLength: int64(len(svg))}, err
}
