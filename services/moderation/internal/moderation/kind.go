package moderation

// DecisionKind is what was decided, as the API names it.
type DecisionKind string

// The kinds of decisions.
const (
	Dismiss       DecisionKind = "dismiss"
	RemoveRecord  DecisionKind = "remove_record"
	RestoreRecord DecisionKind = "restore_record"
	RemoveMap     DecisionKind = "remove_map"
	RestoreMap    DecisionKind = "restore_map"
	UnrankMap     DecisionKind = "unrank_map"
	RankMap       DecisionKind = "rank_map"
	Warn          DecisionKind = "warn"
	Ban           DecisionKind = "ban"
	Unban         DecisionKind = "unban"
	Merge         DecisionKind = "merge"
	// Reopen and WithdrawWarning undo Dismiss and Warn.
	Reopen          DecisionKind = "reopen"
	WithdrawWarning DecisionKind = "withdraw_warning"
)

// inverses has the kind that undoes each kind. A merge has none, and what is made by undoing alone is not undone.
var inverses = map[DecisionKind]DecisionKind{
	Dismiss: Reopen, Warn: WithdrawWarning,
	RemoveRecord: RestoreRecord, RestoreRecord: RemoveRecord,
	RemoveMap: RestoreMap, RestoreMap: RemoveMap,
	UnrankMap: RankMap, RankMap: UnrankMap,
	Ban: Unban, Unban: Ban,
}

// punishments are the kinds against which there is an appeal.
var punishments = []DecisionKind{RemoveRecord, RemoveMap, UnrankMap, Warn, Ban}

// DecisionKinds lists the kinds of decisions.
var DecisionKinds = []DecisionKind{
	Dismiss, RemoveRecord, RestoreRecord, RemoveMap, RestoreMap, UnrankMap, RankMap, Warn, Ban, Unban, Merge, Reopen,
	WithdrawWarning,
}

// KindsOfReports are the kinds of decisions that only say what becomes of reports. The player does not see them.
var KindsOfReports = []DecisionKind{Dismiss, Reopen}
