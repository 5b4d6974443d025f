package httpapi

import (
	"context"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
)

// GetPlayerStatistics implements GET /players/{id}/statistics. A record of another player on any map may change a rank
// or a world record.
func (s *Server) GetPlayerStatistics(
	ctx context.Context, req GetPlayerStatisticsRequestObject,
) (GetPlayerStatisticsResponseObject, error) {
	player, statistics, err := s.Reader.Statistics(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	keys := []httpserve.SurrogateKey{httpserve.PlayerKey(req.Id), httpserve.PlayerKey(player.ID),
		httpserve.MapsKey, httpserve.MapsByRecordsKey}
	for _, lost := range statistics.Lost {
		keys = append(keys, httpserve.PlayerKey(lost.BrokenBy.Player.ID))
	}
	httpserve.TagCacheable(ctx, keys...)
	return GetPlayerStatistics200JSONResponse{Success: true, Data: toStatistics(statistics)}, nil
}

func toStatistics(s leaderboard.Statistics) PlayerStatistics {
	wire := PlayerStatistics{
		Finished:     FinishedMaps{Total: s.Finished, Of: s.Maps},
		WorldRecords: WorldRecordStatistics{Now: s.WorldRecords.Now, Ever: s.WorldRecords.Ever},
		LostWorldRecords: httpserve.List(s.Lost, func(lost leaderboard.LostWorldRecord) LostWorldRecord {
			by := lost.BrokenBy
			return LostWorldRecord{
				Map: mapRef(lost.Map), Record: lost.RecordID, FinishTime: int64(lost.FinishTime),
				From: httpserve.TimeText(lost.From), Until: httpserve.TimeText(lost.Until),
				Milliseconds: lost.Duration(s.At).Milliseconds(),
				BrokenBy:     BreakingRecord{Record: by.ID, Player: playerRef(by.Player), FinishTime: int64(by.FinishTime)},
			}
		}),
		Modes: httpserve.List(s.Modes, func(m leaderboard.ModeStatistics) ModeStatistics {
			return ModeStatistics{Mode: httpserve.OrNull(m.Mode), Finished: m.Finished, Of: m.Maps, Medals: MedalCounts{
				Author: m.Medals[racetime.Author], Gold: m.Medals[racetime.Gold], Silver: m.Medals[racetime.Silver],
				Bronze: m.Medals[racetime.Bronze], None: m.Medals[racetime.NoMedal],
			}}
		}),
		BestPlacements: httpserve.List(s.BestPlacements, func(p leaderboard.Standing) BestPlacement {
			return BestPlacement{
				Map: mapRef(p.Map), Mode: httpserve.OrNull(p.Map.Mode), Rank: p.Rank, Of: p.Players, Record: p.RecordID,
				FinishTime: int64(p.FinishTime),
			}
		}),
		Activity: httpserve.List(s.Activity, func(m leaderboard.MonthRecords) MonthActivity { return MonthActivity(m) }),
	}
	if reign := s.WorldRecords.LongestReign; reign.RecordID != "" {
		wire.WorldRecords.LongestReign = &Reign{
			Map: mapRef(reign.Map), Record: reign.RecordID, From: httpserve.TimeText(reign.From),
			Until: httpserve.TimeOrNull(reign.Until), Milliseconds: reign.Duration(s.At).Milliseconds(),
		}
	}
	return wire
}

// GetStats implements GET /stats.
func (s *Server) GetStats(ctx context.Context, _ GetStatsRequestObject) (GetStatsResponseObject, error) {
	stats, err := s.Reader.Stats(ctx)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.StatsKey)
	return GetStats200JSONResponse{Success: true, Data: Stats{
		TotalMaps: stats.Maps, TotalPlayers: stats.Players, TotalRecords: stats.Records,
	}}, nil
}
