package access

import (
	"maps"
	"slices"
)

// Action is what an actor does, as the audit log names it.
type Action string

// The actions.
const (
	SubmitRecord   Action = "submit record"
	SubmitOwnMap   Action = "submit own map"
	SubmitMap      Action = "submit map of another"
	ReplaceOwner   Action = "replace wrong owner of map"
	EditOwnMap     Action = "edit own map"
	EditMap        Action = "edit map of another"
	SetMedalTimes  Action = "set medal times"
	PreviewDrawing Action = "preview drawing"
	PutGoalAside   Action = "put goal aside"
	Follow         Action = "follow player or map"
	ReadInbox      Action = "read own inbox"
	// ChangeInboxSettings is also to read them.
	ChangeInboxSettings Action = "change own inbox settings"
	ManageTokens        Action = "manage own personal tokens"
	ManageWebhooks      Action = "manage own webhooks"

	Report           Action = "report"
	Appeal           Action = "appeal"
	ReadOwnDecisions Action = "read own decisions"
	ReadDesk         Action = "read desk"
	ClaimCase        Action = "claim case"
	Decide           Action = "decide"
	UndoDecision     Action = "undo decision"
	AnswerAppeal     Action = "answer appeal"
	OverruleConflict Action = "overrule conflict of interest"
	TakeOverCase     Action = "take over case"

	ExportOwnData    Action = "export own data"
	DeleteOwnAccount Action = "delete own account"
	// ChangeOwnLanguage is also to read it.
	ChangeOwnLanguage Action = "change own language"
	DeletePlayer      Action = "delete player"

	ChangeOwnAvatar Action = "change own avatar"
	ChangeAvatar    Action = "change avatar"
	ChangeRoles     Action = "change roles"
	GrantRole       Action = "grant role"
	RevokeRole      Action = "revoke role"

	RemoveRecord  Action = "remove record"
	RestoreRecord Action = "restore record"
	RemoveMap     Action = "remove map"
	RestoreMap    Action = "restore map"
	UnrankMap     Action = "unrank map"
	RankMap       Action = "rank map"
	UndoEdit      Action = "undo edit of map"
	ReassignMap   Action = "reassign map"
	DrawMap       Action = "draw map"
	ImportMaps    Action = "import maps"
	UnlistMap     Action = "unlist map"
	HidePlayer    Action = "hide player"
	ShowPlayer    Action = "show player"
	BanPlayer     Action = "ban player"
	UnbanPlayer   Action = "unban player"
	EndBan        Action = "end ban"
	MergePlayer   Action = "merge player"
	ReadEffects   Action = "read effects of a decision"
	ReadEvidence  Action = "read evidence of a record"
	ReleaseName   Action = "release name"
)

// permission is a row of the table.
type permission struct {
	// service is the name of the service that carries out the action.
	service string
	// everyPlayer is true where a player needs no role.
	everyPlayer bool
	// bannedToo is true where a banned player may take the action, too.
	bannedToo        bool
	roles            []string
	operator, system bool
	// needsReason is true where a change without a reason is refused.
	needsReason bool
	// scope is the one with which a personal token may take the action. Where it is empty, none may.
	scope Scope
	// way is how the action is taken.
	way string
}

// moderators take actions that can be undone, by decisions that reach the owner of the data as commands.
var moderators = []string{Moderator, Admin}

// permissions is the table of roles and actions.
var permissions = map[Action]permission{
	SubmitRecord: {
		service: "records", everyPlayer: true, system: true, scope: ScopeSubmitRecords,
		way: "`POST /records/submit`; the first record of a submitted map",
	},
	SubmitOwnMap: {service: "maps", everyPlayer: true, way: "`POST /maps/submit`, of the map's author"},
	SubmitMap:    {service: "maps", roles: []string{Validator, Moderator, Admin}, way: "`POST /maps/submit`"},
	ReplaceOwner: {
		service: "maps", roles: []string{Validator, Moderator, Admin}, needsReason: true,
		way: "`POST /maps/submit` with `wrongOwnerReason`",
	},
	EditOwnMap: {
		service: "maps", everyPlayer: true, way: "`PATCH /maps/{id}` and `GET /maps/{id}/edits`, of the map's author",
	},
	EditMap: {
		service: "maps", roles: []string{Validator, Moderator, Admin}, way: "`PATCH /maps/{id}`, `GET /maps/{id}/edits`",
	},
	SetMedalTimes: {
		service: "maps", everyPlayer: true, way: "`POST /maps/submit`, `PATCH /maps/{id}`, of the map's author only",
	},
	PreviewDrawing: {service: "maps", everyPlayer: true, way: "`POST /maps/drawing`"},
	PutGoalAside: {
		service: "records", everyPlayer: true, way: "`POST` and `DELETE /records/goals/{map}/put-aside`, of the player's own",
	},

	Follow: {
		service: "notifications", everyPlayer: true, scope: ScopeFollows, way: "`/follows/…`, of the player's own",
	},
	ReadInbox: {
		service: "notifications", everyPlayer: true, scope: ScopeReadInbox,
		way: "`/inbox`, `/inbox/count` and `/inbox/read`, of the player's own",
	},
	ChangeInboxSettings: {
		service: "notifications", everyPlayer: true, way: "`/inbox/settings`, of the player's own",
	},

	ManageTokens: {service: "auth", everyPlayer: true, way: "`/tokens…`, of the player's own"},
	ManageWebhooks: {
		service: "notifications", everyPlayer: true, scope: ScopeWebhooks, way: "`/webhooks…`, of the player's own",
	},

	Report: {service: "moderation", everyPlayer: true, way: "`POST /reports`"},
	Appeal: {
		service: "moderation", everyPlayer: true, bannedToo: true,
		way: "`POST /appeals…` against decisions about the player, also while banned",
	},
	ReadOwnDecisions: {
		service: "moderation", everyPlayer: true, bannedToo: true,
		way: "`GET /me/decisions` and `/decisions/{id}`, also while banned",
	},
	ReadDesk:  {service: "moderation", roles: moderators, way: "`GET /desk/…`"},
	ClaimCase: {service: "moderation", roles: moderators, way: "`POST` and `DELETE /desk/cases/{id}/claim`"},
	Decide: {
		service: "moderation", roles: moderators,
		way: "`POST /desk/cases/{id}/decisions` and `/desk/decisions`; only admins merge players",
	},
	UndoDecision: {service: "moderation", roles: moderators, way: "`POST /desk/decisions/{id}/undo`"},
	AnswerAppeal: {service: "moderation", roles: moderators, way: "`POST /desk/appeals/{id}/answer`"},
	OverruleConflict: {
		service: "moderation", roles: []string{Admin},
		way: "`override` in claims and decisions; undoing a decision and answering an appeal need no `override`",
	},
	TakeOverCase: {
		service: "moderation", roles: []string{Admin}, way: "`override` in `POST /desk/cases/{id}/claim`",
	},

	ExportOwnData: {
		service: "players", everyPlayer: true, bannedToo: true, way: "`GET /me/export` of all services, also while banned",
	},
	DeleteOwnAccount: {
		service: "players", everyPlayer: true, bannedToo: true,
		way: "`GET`, `POST` and `DELETE /me/deletion`, also while banned",
	},
	ChangeOwnLanguage: {
		service: "players", everyPlayer: true, bannedToo: true, way: "`GET` and `PATCH /me/account`, also while banned",
	},
	DeletePlayer: {
		service: "players", operator: true, system: true, needsReason: true,
		way: "`players delete`; in the background, 14 days after the player has asked for it",
	},
	ChangeOwnAvatar: {service: "players", everyPlayer: true, way: "`PUT /players/{id}` of the player"},
	ChangeAvatar:    {service: "players", roles: moderators, way: "`PUT /players/{id}`"},
	ChangeRoles:     {service: "players", roles: []string{Admin}, way: "`PUT /players/{id}`"},
	GrantRole:       {service: "players", operator: true, way: "`players grant`"},
	RevokeRole:      {service: "players", operator: true, way: "`players revoke`"},

	RemoveRecord: {
		service: "records", roles: moderators, operator: true, needsReason: true,
		way: "`records remove`, `commands.v1.records.remove`",
	},
	RestoreRecord: {
		service: "records", roles: moderators, operator: true, needsReason: true,
		way: "`records restore`, `commands.v1.records.restore`",
	},
	HidePlayer: {
		service: "records", roles: moderators, operator: true, system: true, needsReason: true,
		way: "`records hide`, `commands.v1.records.hide`; after a ban that hides the records",
	},
	ShowPlayer: {
		service: "records", roles: moderators, operator: true, system: true, needsReason: true,
		way: "`records show`, `commands.v1.records.show`; when a ban that has hidden the records ends",
	},
	ReadEffects: {
		service: "records", roles: moderators,
		way: "`GET /records/{id}/effects`, `GET /players/{id}/records/effects`, `GET /maps/{id}/effects`",
	},
	ReadEvidence: {
		service: "records", roles: moderators, way: "`GET /desk/records/{id}/verification`, `GET /desk/records/{id}/replay`",
	},
	RemoveMap: {
		service: "maps", roles: moderators, operator: true, needsReason: true,
		way: "`maps remove`, `commands.v1.maps.remove`",
	},
	RestoreMap: {
		service: "maps", roles: moderators, operator: true, needsReason: true,
		way: "`maps restore`, `commands.v1.maps.restore`",
	},
	UnrankMap: {
		service: "maps", roles: moderators, operator: true, needsReason: true,
		way: "`maps unrank`, `commands.v1.maps.unrank`",
	},
	RankMap: {
		service: "maps", roles: moderators, operator: true, needsReason: true,
		way: "`maps rank`, `commands.v1.maps.rank`",
	},
	UndoEdit: {
		service: "maps", roles: moderators, needsReason: true, way: "`POST /maps/{id}/edits/{edit}/undo`",
	},
	ReassignMap: {service: "maps", operator: true, way: "`maps reassign`"},
	DrawMap:     {service: "maps", operator: true, system: true, way: "`maps draw`; in the background"},
	ImportMaps:  {service: "maps", operator: true, way: "`maps import`"},
	UnlistMap:   {service: "maps", operator: true, needsReason: true, way: "`maps unlist`"},
	BanPlayer: {
		service: "players", roles: moderators, operator: true, needsReason: true,
		way: "`players ban`, `commands.v1.players.ban`",
	},
	UnbanPlayer: {
		service: "players", roles: moderators, operator: true, needsReason: true,
		way: "`players unban`, `commands.v1.players.unban`",
	},
	EndBan: {service: "players", system: true, way: "in the background, when the ban's time is over"},
	MergePlayer: {
		service: "players", roles: []string{Admin}, operator: true,
		way: "`players merge`, `commands.v1.players.merge`",
	},
	ReleaseName: {service: "players", operator: true, needsReason: true, way: "`players release`"},
}

// Actions returns all actions in alphabetical order.
func Actions() []Action {
	return slices.Sorted(maps.Keys(permissions))
}

// ActionsOf returns the actions of a service in alphabetical order.
func ActionsOf(service string) []Action {
	return slices.DeleteFunc(Actions(), func(a Action) bool { return permissions[a].service != service })
}
