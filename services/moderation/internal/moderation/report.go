package moderation

import (
	"context"
	"math"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// reportReasons are the reasons for which a thing is reported.
var reportReasons = map[SubjectKind][]access.PublicReason{
	OfRecord: {access.NotOwnPlay, access.Edited, access.WrongMap, access.Other},
	OfMap:    {access.Stolen, access.Broken, access.Indecent, access.Duplicate, access.Other},
	OfPlayer: {access.AltAccount, access.Name, access.Avatar, access.Other},
}

const (
	// MaxReports is how many things a player reports in a day.
	MaxReports = 10
	// minText is the length of the shortest text where one is needed, and maxLongText that of the longest text of a
	// player.
	minText, maxLongText, maxReportText = 10, 1000, 1000
)

// Report is what a player says of a thing.
type Report struct {
	ID string
	// CaseID is that of the case. Until the report is stored it is the id of a case that may have to be opened.
	CaseID     string
	ReporterID string
	Reason     access.PublicReason
	Text       string
	At         time.Time
	// Accuracy is that of the reporter now.
	Accuracy Accuracy
}

// NewReport returns a valid report without a reporter. It returns ErrReportReason or ErrReportText.
func NewReport(kind SubjectKind, reason access.PublicReason, text string) (Report, error) {
	if !slices.Contains(reportReasons[kind], reason) {
		return Report{}, ErrReportReason
	}
	least := 0
	if reason == access.Other {
		least = minText
	}
	text, err := checkText(text, least, maxReportText, ErrReportText)
	return Report{Reason: reason, Text: text}, err
}

// Accuracy counts the last closed reports of a reporter, of which those were confirmed that a decision other than a
// dismissal followed.
type Accuracy struct{ Confirmed, Closed int }

const (
	// AccuracyWindow is how many closed reports count.
	AccuracyWindow = 20
	// minAccuracy is the number of closed reports below which nothing is known of a reporter.
	minAccuracy = 4
	// unknownWeight is the weight of a reporter of whom nothing is known.
	unknownWeight = 20
	// FlagWeight is what an automatic flag adds to the priority of its case.
	FlagWeight = 25
)

// IsKnown reports whether there are enough closed reports to know a reporter by.
func (a Accuracy) IsKnown() bool { return a.Closed >= minAccuracy }

// Share returns (confirmed + ½) / (closed + 1), so that a few reports prove little.
func (a Accuracy) Share() float64 { return (float64(a.Confirmed) + 0.5) / (float64(a.Closed) + 1) }

// Weight returns what a report adds to the priority of its case: 20 where nothing is known of the reporter, up to 40
// for one whose reports were always confirmed, and almost nothing for one whose reports never were.
func (a Accuracy) Weight() int {
	if !a.IsKnown() {
		return unknownWeight
	}
	return int(math.Round(2 * unknownWeight * a.Share()))
}

// ReportPeriod is the time in which MaxReports count.
const ReportPeriod = day

// Reporter is who reports a thing, read under locks by which no other report of the player is added.
type Reporter struct {
	// Own is what the player has reported of the thing in its open case, or nil.
	Own *Report
	// Today counts the reports of the last ReportPeriod, of which Oldest is the first.
	Today    int
	Oldest   time.Time
	Accuracy Accuracy
}

// Report returns a report with the player's accuracy, or the first report where it is sent again because the answer was
// lost. It returns ErrReportOwn, ErrReportExists or ErrReportsFull.
func (r Reporter) Report(by access.Attribution, about Subject, report Report) (Changed[Report], error) {
	switch own := r.Own; {
	case about.PlayerID == by.Actor.ID:
		return Changed[Report]{}, ErrReportOwn
	case own != nil && own.Reason == report.Reason && own.Text == report.Text:
		return Changed[Report]{Value: *own, IsRepeated: true}, nil
	case own != nil:
		return Changed[Report]{}, ErrReportExists.WithData("_id", own.ID)
	case r.Today >= MaxReports:
		return Changed[Report]{}, ErrReportsFull.WithRetryAfter(r.Oldest.Add(ReportPeriod).Sub(report.At))
	}
	report.ReporterID, report.Accuracy = by.Actor.ID, r.Accuracy
	return Changed[Report]{Value: report, Entries: []access.Entry{{
		By: by, Action: access.Report, Target: about.ID,
		After: map[string]any{
			"caseId": report.CaseID, "kind": about.Kind, "reason": report.Reason, "playerId": about.PlayerID,
		},
	}}}, nil
}

// ReportStore stores reports.
type ReportStore interface {
	// AddReport adds what Reporter.Report returns to the open case about a subject, which it opens where there is none.
	// Its errors are those, and access.ErrDeleted.
	AddReport(ctx context.Context, by access.Attribution, about Subject, r Report) (Report, error)
}

// Reports has players report things.
type Reports struct {
	Store  ReportStore
	Things *Things
	Now    func() time.Time
	NewID  func() string
}

// Report reports a thing by a player. It returns access.ErrForbidden for a banned player, ErrReportReason,
// ErrReportText, ErrSubjectUnknown, an error of Reporter.Report, or a problem of kind unavailable.
func (r *Reports) Report(
	ctx context.Context, by access.Attribution, kind SubjectKind, id string, reason access.PublicReason, text string,
) (Report, error) {
	_, by, err := access.Authorize(ctx, by, access.Report, r.Things.Players.Get)
	if err != nil {
		return Report{}, err
	}
	if !slices.Contains(SubjectKinds, kind) {
		return Report{}, ErrSubjectUnknown
	}
	report, err := NewReport(kind, reason, text)
	if err != nil {
		return Report{}, err
	}
	thing, err := r.Things.Get(ctx, kind, id)
	if err == nil && thing.isRemoved() {
		err = ErrSubjectUnknown
	}
	if err != nil {
		return Report{}, err
	}
	report.ID, report.CaseID, report.At = r.NewID(), r.NewID(), event.InMillis(r.Now())
	return r.Store.AddReport(ctx, by, thing.Subject, report)
}
