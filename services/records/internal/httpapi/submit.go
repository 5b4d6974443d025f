package httpapi

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/game/racetime"
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
	httpserve.TagChanged(ctx, httpserve.MapKey(submitted.MapID), httpserve.PlayerKey(submitted.PlayerID),
		httpserve.RecordsKey, httpserve.StatsKey)
	return SubmitRecord201JSONResponse{Success: true, Data: toSubmitted(submitted)}, nil
}

func (s *Server) submit(ctx context.Context, req SubmitRecordRequestObject) (record.Submitted, error) {
	caller, err := httpserve.Caller(ctx)
	if err != nil {
		return record.Submitted{}, err
	}
	form, err := httpserve.ReadForm(ctx, caller.PlayerID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: record.MaxReplaySize, TooLarge: record.ErrReplayTooLarge},
		httpserve.FormPart{Name: "map", Max: maxMapField},
	)
	if err != nil {
		return record.Submitted{}, err
	}
	defer form.Close()
	return s.Submitter.Submit(ctx, record.Submission{
		By:          record.Caller{ID: caller.PlayerID, Name: caller.Name},
		Replay:      form.Bytes("replayFile"),
		SelectedMap: form.Text("map"),
	})
}

func toSubmitted(o record.Submitted) Submitted {
	return Submitted{
		Record: SubmittedRecord{
			UnderscoreId:    o.ID,
			Player:          o.PlayerID,
			Map:             o.MapID,
			FinishTime:      int64(o.FinishTime),
			FinishTimeStamp: httpserve.TimeText(o.FinishTimeStamp),
			CreatedAt:       httpserve.TimeText(o.CreatedAt),
			UpdatedAt:       httpserve.TimeText(o.CreatedAt),
			Medal:           medal(o.Entry),
			Rank:            httpserve.OrNull(o.Entry.Rank),
			PersonalBest:    o.Entry.PersonalBest,
		},
		Rank:         o.Placement.Rank,
		PersonalBest: o.Placement.PersonalBest,
		PreviousBest: httpserve.OrNull(int64(o.PreviousBest)),
		WorldRecord:  o.WorldRecord(),
	}
}

func medal(e record.Entry) *Medal {
	earned := e.Medal()
	if earned == racetime.NoMedal {
		return nil
	}
	wire := Medal(earned)
	return &wire
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
	if submitted.WorldRecord() {
		m.worldRecords.Inc()
	}
}
