package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// EditMap implements PATCH /maps/{id}.
func (s *Server) EditMap(ctx context.Context, req EditMapRequestObject) (EditMapResponseObject, error) {
	by := httpserve.By(ctx)
	form, err := httpserve.ReadForm(ctx, by.Actor.ID, req.Body,
		httpserve.FormPart{Name: "mapImage", Max: parkourmap.MaxImageSize, Cut: true},
		httpserve.FormPart{Name: "metadata", Max: maxMetadata, Cut: true},
	)
	if err != nil {
		return nil, err
	}
	defer form.Close()
	edit, err := readEdit(form.Bytes("metadata"))
	if err != nil {
		return nil, err
	}
	edit.Image = form.Bytes("mapImage")
	entry, err := s.Editor.Edit(ctx, by, req.Id, edit)
	if err != nil {
		return nil, err
	}
	httpserve.TagChanged(ctx, append(keysOfEntry(entry), httpserve.MapsKey)...)
	return EditMap200JSONResponse{Success: true, Data: toWire(entry)}, nil
}

// readEdit reads the JSON text of a form's field like readMetadata, with the time that it needs besides.
func readEdit(text []byte) (parkourmap.RequestedEdit, error) {
	metadata, err := readMetadata("MapMetadata", text)
	if err != nil {
		return parkourmap.RequestedEdit{}, err
	}
	var more struct {
		UpdatedAt time.Time `json:"updatedAt"`
	}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &more); err != nil {
			return parkourmap.RequestedEdit{}, parkourmap.ErrMetadataMalformed.Wrap(err)
		}
	}
	return parkourmap.RequestedEdit{
		UpdatedAt: more.UpdatedAt, Description: metadata.Description, Tags: metadata.Tags, Medals: metadata.Medals,
	}, nil
}

// ListMapEdits implements GET /maps/{id}/edits.
func (s *Server) ListMapEdits(ctx context.Context, req ListMapEditsRequestObject) (ListMapEditsResponseObject, error) {
	edits, err := s.Editor.List(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return ListMapEdits200JSONResponse{Success: true, Data: httpserve.List(edits, toEdit)}, nil
}

func toEdit(e parkourmap.ListedEdit) MapEdit {
	return MapEdit{
		UnderscoreId: e.ID, At: httpserve.TimeText(e.At), Editor: playerRef(e.Editor),
		Fields: httpserve.List(e.Fields(), func(f parkourmap.EditedField) MapEditFields { return MapEditFields(f) }),
		Before: editValues(e.Before), After: editValues(e.After), Undoes: httpserve.OrNull(e.Undoes),
		Reason: httpserve.OrNull(string(e.Reason)),
	}
}

func editValues(v parkourmap.EditedValues) MapEditValues {
	return MapEditValues{Description: v.Description, Tags: append([]string{}, v.Tags...), MedalTimes: medalTimes(v.Medals)}
}

// UndoMapEdit implements POST /maps/{id}/edits/{edit}/undo.
func (s *Server) UndoMapEdit(ctx context.Context, req UndoMapEditRequestObject) (UndoMapEditResponseObject, error) {
	by := httpserve.By(ctx)
	by.Reason = access.Reason(req.Body.Reason)
	entry, err := s.Editor.Undo(ctx, by, req.Id, req.Edit)
	if err != nil {
		return nil, err
	}
	httpserve.TagChanged(ctx, append(keysOfEntry(entry), httpserve.MapsKey)...)
	return UndoMapEdit200JSONResponse{Success: true, Data: toWire(entry)}, nil
}
