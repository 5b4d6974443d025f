package httpapi

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

// maxMapField is the size of the form's field map, in bytes. An id is far shorter.
const maxMapField = 200

// SubmitRecord implements POST /records/submit.
func (s *Server) SubmitRecord(ctx context.Context, req SubmitRecordRequestObject) (SubmitRecordResponseObject, error) {
	submitted, err := s.submit(ctx, req)
	s.Metrics.countSubmission(submitted, err)
	if err != nil {
		return nil, err
	}
	httpserve.TagChanged(ctx, httpserve.MapKey(submitted.Record.MapID), httpserve.PlayerKey(submitted.Record.PlayerID),
		httpserve.RecordsKey, httpserve.StatsKey)
	return SubmitRecord201JSONResponse{Success: true, Data: toSubmitted(submitted)}, nil
}

func (s *Server) submit(ctx context.Context, req SubmitRecordRequestObject) (record.Submitted, error) {
	actor := httpserve.ActorOf(ctx)
	form, err := httpserve.ReadForm(ctx, actor.ID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: record.MaxReplaySize, TooLarge: record.ErrReplayTooLarge},
		httpserve.FormPart{Name: "map", Max: maxMapField},
	)
	if err != nil {
		return record.Submitted{}, err
	}
	defer form.Close()
	return s.Submitter.Submit(ctx, record.Submission{
		By:          actor,
		Replay:      form.Bytes("replayFile"),
		SelectedMap: form.Text("map"),
	})
}

func toSubmitted(s record.Submitted) Submitted {
	r := s.Record
	return Submitted{
		Record: SubmittedRecord{
			UnderscoreId:    r.ID,
			Player:          r.PlayerID,
			Map:             r.MapID,
			FinishTime:      int64(r.FinishTime),
			FinishTimeStamp: httpserve.TimeText(r.FinishTimeStamp),
			CreatedAt:       httpserve.TimeText(r.CreatedAt),
			UpdatedAt:       httpserve.TimeText(r.CreatedAt),
			Medal:           httpserve.OrNull(Medal(r.Medal())),
			Rank:            httpserve.OrNull(r.Rank),
			PersonalBest:    r.PersonalBest,
		},
		Rank:              s.Placement.Rank,
		PersonalBest:      s.Placement.PersonalBest,
		PreviousBest:      httpserve.OrNull(int64(s.Placement.PreviousBest)),
		WorldRecord:       s.Placement.WorldRecord,
		EqualsWorldRecord: s.Placement.EqualsWorldRecord,
	}
}

// Metrics counts submissions and downloads.
type Metrics struct {
	submissions                            *httpserve.Outcomes
	personalBests, worldRecords, downloads prometheus.Counter
}

// NewMetrics returns metrics that are registered.
func NewMetrics(registerer prometheus.Registerer) *Metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	m := &Metrics{
		submissions: httpserve.NewOutcomes(registerer, "records_submissions_total",
			"Submissions of players, by outcome: accepted or the problem's code.", "accepted"),
		personalBests: counter("records_personal_bests_total", "Accepted records that were personal bests."),
		worldRecords:  counter("records_world_records_total", "Accepted records that were world records."),
		downloads:     counter("records_downloads_total", "Replays that were found for a download."),
	}
	registerer.MustRegister(m.personalBests, m.worldRecords, m.downloads)
	return m
}

func (m *Metrics) countSubmission(submitted record.Submitted, err error) {
	m.submissions.Count(err)
	if err != nil {
		return
	}
	if submitted.Placement.PersonalBest {
		m.personalBests.Inc()
	}
	if submitted.Placement.WorldRecord {
		m.worldRecords.Inc()
	}
}
