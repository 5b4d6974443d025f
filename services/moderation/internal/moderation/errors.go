package moderation

import (
	"errors"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// Problems of reports.
var (
	ErrPlayerUnknown  = event.ErrPlayerUnknown
	ErrSubjectUnknown = problem.NotFound("subject_unknown", "There is no such record, map or player.")
	ErrReportReason   = problem.Unprocessable("report_reason", "This reason does not fit what is reported.")
	ErrReportText     = problem.Unprocessable("report_text",
		"Say what is wrong: with the reason Other at least 10 characters, at most 1,000.")
	ErrReportOwn    = problem.Unprocessable("report_own", "You cannot report yourself or what is yours.")
	ErrReportExists = problem.Conflict("report_exists", "You have reported this already. The moderators will look at it.")
	ErrReportsFull  = problem.RateLimited("reports_full", "You have reported ten things today. Try again tomorrow.")
)

// Problems of cases.
var (
	ErrCaseUnknown    = problem.NotFound("case_unknown", "There is no such case.")
	ErrCaseClosed     = problem.Conflict("case_closed", "This case is closed.")
	ErrCaseClaimed    = problem.Conflict("case_claimed", "Another moderator has claimed this case.")
	ErrCaseNotClaimed = problem.Conflict("case_not_claimed", "Claim this case before you decide it.")
	ErrCaseOpen       = problem.Conflict("case_open", "There is an open case about this. Decide it there.")
	ErrConflict       = problem.Unprocessable("conflict_of_interest",
		"You cannot decide this: it is about you, you have reported it, or your own record is next to it.")
)

// ErrRowUnknown is returned for a page of the audit log after a row that is not in it.
var ErrRowUnknown = problem.InvalidArgument("malformed_request", "The request cannot be read.").
	WithField("before", "malformed", "is no _id of the audit log")

// Problems of decisions.
var (
	ErrDecisionUnknown = problem.NotFound("decision_unknown", "There is no such decision.")
	ErrNotApplicable   = problem.Unprocessable("decision_not_applicable",
		"This cannot be decided now, because what it would change has changed or no longer exists.")
	ErrDecisionText = problem.Unprocessable("decision_text",
		"Say why in 10 to 500 characters. The player concerned reads it.")
	ErrPublicReason = problem.Unprocessable("public_reason", "There is no such public reason.")
	ErrBanUntil     = problem.Unprocessable("ban_until",
		"A ban ends in the future, at most ten years from now, or has no end.")
	ErrMergeInto     = problem.Unprocessable("merge_into", "Name another player into whom this one is merged.")
	ErrDecisionFinal = problem.Unprocessable("decision_final",
		"This decision cannot be undone: it was not carried out, was undone, is older than a year, is a merge, or had "+
			"nothing to change.")
	ErrDecisionOvertaken = problem.Conflict("decision_overtaken",
		"A newer decision has replaced this one, so it cannot be undone. Make a new decision.")
)

// Problems of appeals.
var (
	ErrAppealUnknown       = problem.NotFound("appeal_unknown", "There is no such appeal.")
	ErrAppealNotApplicable = problem.Unprocessable("appeal_not_applicable",
		"There is no appeal against this decision: it takes nothing from you, or it is not in force.")
	ErrAppealText     = problem.Unprocessable("appeal_text", "Write 10 to 1,000 characters.")
	ErrAppealExists   = problem.Conflict("appeal_exists", "You have an open appeal against this decision.")
	ErrAppealAnswered = problem.Conflict("appeal_answered", "This appeal has been answered.")
	ErrAppealTooSoon  = problem.RateLimited("appeal_too_soon",
		"Your appeal was answered. Another one against the same decision is possible after 30 days.")
	ErrAppealAsked         = problem.Conflict("appeal_asked", "The player was asked already. Wait for the answer, or decide.")
	ErrAppealQuestionsFull = problem.Conflict("appeal_questions_full",
		"The player was asked five times in this appeal. Decide it.")
	ErrAppealMessagesFull = problem.Conflict("appeal_messages_full",
		"You have sent three messages. Wait for the moderators' answer.")
)

// errHidingPending is returned where a ban ends before it has hidden the records, which are shown after that.
var errHidingPending = errors.New("the records of the player are not hidden yet")
