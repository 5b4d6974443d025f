package httpapi

import (
	"context"
	"slices"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// maxPlayerKeys bounds the header with the surrogate keys of a history.
const maxPlayerKeys = 100

// GetMapHistory implements GET /maps/{id}/history.
func (s *Server) GetMapHistory(
	ctx context.Context, req GetMapHistoryRequestObject,
) (GetMapHistoryResponseObject, error) {
	history, err := s.Reader.History(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, append(keysOfPlayers(history), httpserve.MapKey(req.Id))...)
	steps := httpserve.List(history.Steps, func(step leaderboard.HistoryStep) WorldRecordStep {
		return WorldRecordStep{
			UnderscoreId: step.ID, FinishTime: int64(step.FinishTime), Player: playerRef(step.Player),
			From: httpserve.TimeText(step.Since), Until: httpserve.TimeOrNull(step.Until),
		}
	})
	holders := httpserve.List(history.Holders, func(holder leaderboard.Holder) WorldRecordHolder {
		return WorldRecordHolder{
			Player: playerRef(holder.Player), Reigns: holder.Reigns,
			HeldFor: holder.HeldFor.Milliseconds(), Current: holder.Current,
		}
	})
	return GetMapHistory200JSONResponse{
		Success: true, Data: MapHistory{Steps: steps, Holders: holders}, Total: history.Total,
	}, nil
}

// keysOfPlayers returns the keys of the players of a history. For more than maxPlayerKeys it
// returns the key that the change of any player purges.
func keysOfPlayers(history leaderboard.History) (keys []httpserve.SurrogateKey) {
	for _, step := range history.Steps {
		keys = append(keys, httpserve.PlayerKey(step.Player.ID))
	}
	for _, holder := range history.Holders {
		keys = append(keys, httpserve.PlayerKey(holder.Player.ID))
	}
	slices.Sort(keys)
	if keys = slices.Compact(keys); len(keys) > maxPlayerKeys {
		return []httpserve.SurrogateKey{httpserve.PlayersKey}
	}
	return keys
}

// defaultWorldRecords is the limit of the list of world records where none is given.
const defaultWorldRecords = 10

// ListWorldRecords implements GET /records/world-records.
func (s *Server) ListWorldRecords(
	ctx context.Context, req ListWorldRecordsRequestObject,
) (ListWorldRecordsResponseObject, error) {
	_, limit, err := httpserve.OffsetQuery(nil, req.Params.Limit, defaultWorldRecords)
	if err != nil {
		return nil, err
	}
	list, err := s.Reader.NewestWorldRecords(ctx, limit)
	if err != nil {
		return nil, err
	}
	records := make([]record.RankedRecord, len(list))
	data := make([]ListedWorldRecord, len(list))
	for i, w := range list {
		records[i] = w.RankedRecord
		data[i] = ListedWorldRecord{
			MapRecord: toWire(w.RankedRecord), MapPictureUrl: mediaPath(w.Map.Picture),
			PreviousWorldRecord: httpserve.OrNull(int64(w.PreviousWorldRecord)), Points: givenPoints(w.Points),
		}
	}
	httpserve.TagComputed(ctx, append(keysOfRecords(records), httpserve.RecordsKey)...)
	return ListWorldRecords200JSONResponse{Success: true, Data: data}, nil
}

// mediaPath returns the path of a picture that the maps service stores, or null where there is none.
func mediaPath(file record.StoredFile) *string {
	if file.Key == "" {
		return nil
	}
	return new("/media/" + file.Key)
}
