package leaderboard

import (
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

// checkSentences are the sentences of each check by its result.
var checkSentences = map[replaycheck.Name]map[replaycheck.Result]string{
	replaycheck.ReadByServer: {
		replaycheck.Passed: problem.Sentence("check.read_by_server.passed",
			"The server itself read the map, the player, the finish time and the time stamp from the replay file."),
	},
	replaycheck.Validated: {
		replaycheck.Passed: problem.Sentence("check.validated.passed",
			"The game has marked the replay as validated."),
	},
	replaycheck.LabelsAgree: {
		replaycheck.Passed: problem.Sentence("check.labels_agree.passed",
			"The labels of the replay agree with its map data."),
	},
	replaycheck.OwnReplay: {
		replaycheck.Passed: problem.Sentence("check.own_replay.passed",
			"The player's name in the replay is that of the account that submitted it and that was proven in the "+
				"game."),
	},
	replaycheck.FinishTimeGiven: {
		replaycheck.Passed: problem.Sentence("check.finish_time_given.passed",
			"The replay has a finish time."),
	},
	replaycheck.WholeFrames: {
		replaycheck.Passed: problem.Sentence("check.whole_frames.passed",
			"The finish time is a whole number of the game's frames, of which there are 30 a second. "+
				"A time in between was rounded to the nearest frame."),
	},
	replaycheck.TimeStampPlausible: {
		replaycheck.Passed: problem.Sentence("check.time_stamp_plausible.passed",
			"The replay's time stamp is not in the future and not older than the game. Where it was ahead of the "+
				"server's clock, by at most five minutes, the record has the time of its submission."),
		replaycheck.NotApplicable: problem.Sentence("check.time_stamp_plausible.not_applicable",
			"The replay has no time stamp. The record has the time of its submission."),
	},
	replaycheck.FinishUnambiguous: {
		replaycheck.Passed: problem.Sentence("check.finish_unambiguous.passed",
			"The replay cannot count as finished at a checkpoint: either all capture zones of the map in the "+
				"replay are named as checkpoints, or none."),
	},
	replaycheck.GameModeMatches: {
		replaycheck.Passed: problem.Sentence("check.game_mode_matches.passed",
			"The replay was played in the mode of the leaderboard."),
		replaycheck.NotApplicable: problem.Sentence("check.game_mode_matches.not_applicable",
			"The replay does not name a mode of parkour. It counts as played in that of the leaderboard."),
	},
	replaycheck.MapUnchanged: {
		replaycheck.Passed: problem.Sentence("check.map_unchanged.passed",
			"The map in the replay has the physics fingerprint of this version of the map."),
	},
	record.FileNotSubmittedBefore: {
		replaycheck.Passed: problem.Sentence("check.file_not_submitted_before.passed",
			"The same file was not submitted before."),
	},
	record.FinishNotSubmittedBefore: {
		replaycheck.Passed: problem.Sentence("check.finish_not_submitted_before.passed",
			"The same finish was not submitted before in another file: no record on any version of the map has "+
				"the same time and time stamp. For a replay without a time stamp, no record of the player on this version has the "+
				"same time. The first record of a version is compared with the records on this version."),
	},
	record.FirstRecordOfAuthorOrValidator: {
		replaycheck.Passed: problem.Sentence("check.first_record_of_author_or_validator.passed",
			"This is the replay with which the map's author or a validator submitted the map."),
		replaycheck.NotApplicable: problem.Sentence("check.first_record_of_author_or_validator.not_applicable",
			"The map was not submitted with this replay, so it may be any player's."),
	},
}

// CheckSentence returns a sentence for people about a check that passed or does not apply.
func CheckSentence(c replaycheck.Check) string { return checkSentences[c.Name][c.Result] }

// MissingCheck is a check that is made of no replay, with a sentence for people.
type MissingCheck struct{ Name, Sentence string }

// MissingChecks are the checks that are made of no replay.
var MissingChecks = []MissingCheck{{
	Name: "simulation",
	Sentence: problem.Sentence("check.simulation.not_checked",
		"The finish was not simulated again. That the map was finished in this time is stated by the game alone, "+
			"which wrote the replay."),
}}
