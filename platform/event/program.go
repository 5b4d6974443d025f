package event

import (
	"strings"
	"time"
)

// Program is what takes part in the messages over NATS, with all that it may publish and
// subscribe to there. deploy/nats makes each program's credentials of it: what is not
// listed is refused by the server. All replicas of a program have the same.
type Program struct {
	// Name is what the program connects as (eventbus.Connect). The durable
	// consumers whose names begin with it are its own.
	Name string
	// Publishes are subjects that it publishes on without waiting for an answer: its own
	// states and facts, or the reports of a bot.
	Publishes []string
	// Subscribes are subjects that it subscribes to without an answer of its own.
	// What it reads from streams it gets by its consumers.
	Subscribes []string
	// Reads are streams that it reads by sequence, without a consumer.
	Reads []Stream
	// Requests are subjects of requests that it sends.
	Requests []string
	// Serves are the requests that it takes.
	Serves []Endpoint
}

// Endpoint is a subject on which a program answers requests.
type Endpoint struct {
	Subject string
	// Queue is the group of which one answers each request; empty where the subject names one process.
	Queue string
}

// The programs of the system.
var (
	Auth = Program{
		Name:      "auth",
		Publishes: []string{TokenRevokedSubject},
		Requests: []string{RegisterPlayerSubject, GetPlayerSubject, RoomOpenSubject, RoomWaitSubject,
			RoomSaySubject("*"), RoomStateSubject("*"), RoomCloseSubject("*")},
		Serves: []Endpoint{{ExchangeTokenSubject, "auth"}, {CheckSessionSubject, "auth"}},
	}
	Maps = Program{
		Name: "maps",
		Publishes: []string{MapStatePrefix + "*", MapCreatedSubject, MapUpdatedSubject, MapRemovedSubject,
			MapRestoredSubject, MapUnrankedSubject, MapRankedSubject, MapReassignedSubject, MapEditedSubject,
			AuditWrittenSubject, CommandRefusedSubject},
		Requests: []string{EnsurePlayerSubject, GetPlayerSubject, FindFinishSubject, FindPlayedSubject, CountMedalsSubject},
		Serves:   []Endpoint{{GetMapSubject, "maps"}},
	}
	Records = Program{
		Name: "records",
		Publishes: []string{MapStatsPrefix + "*", PlayerStatsPrefix + "*", RecordSubmittedSubject, RecordRemovedSubject,
			RecordRestoredSubject, RecordsHiddenSubject, RecordsShownSubject, PointsChangedSubject,
			RankingChangedSubject, AuditWrittenSubject, CommandRefusedSubject},
		// Dumps say up to which fact they hold everything.
		Reads:    []Stream{FactsStream},
		Requests: []string{GetMapSubject, GetPlayerSubject, ListFollowedSubject},
		Serves: []Endpoint{
			{FindFinishSubject, "records"}, {FindPlayedSubject, "records"}, {FindPassedSubject, "records"},
			{ListPlayersSubject, "records"}, {GetPointsSubject, "records"}, {CountMedalsSubject, "records"},
			{InspectRecordSubject, "records"},
		},
	}
	Notifications = Program{
		Name:      "notifications",
		Publishes: []string{NotificationsAddedSubject},
		Requests:  []string{GetPlayerSubject, GetMapSubject, FindPassedSubject, ListPlayersSubject},
		Serves:    []Endpoint{{ListFollowedSubject, "notifications"}},
	}
	// Moderation asks the owners of data to carry out what moderators decide.
	Moderation = Program{
		Name: "moderation",
		Publishes: []string{
			RemoveRecordSubject, RestoreRecordSubject, HidePlayerSubject, ShowPlayerSubject, RemoveMapSubject,
			RestoreMapSubject, UnrankMapSubject, RankMapSubject, BanPlayerSubject, UnbanPlayerSubject, MergePlayerSubject,
			ModerationDecidedSubject, ReportClosedSubject, AppealAnsweredSubject, AuditWrittenSubject,
		},
		Requests: []string{GetPlayerSubject, GetMapSubject, InspectRecordSubject},
	}
	Players = Program{
		Name: "players",
		Publishes: []string{
			PlayerStatePrefix + "*",
			PlayerRegisteredSubject, PlayerBannedSubject, PlayerUnbannedSubject, PlayerMergedSubject,
			PlayerDeletedSubject, AuditWrittenSubject, CommandRefusedSubject,
		},
		Requests: []string{GetPointsSubject},
		Serves: []Endpoint{
			{EnsurePlayerSubject, "players"}, {RegisterPlayerSubject, "players"}, {GetPlayerSubject, "players"},
		},
	}
	Bot = Program{
		Name:      "bot",
		Publishes: []string{RoomEventSubject("*")},
		// A request that reaches a bot without a free room goes on to another bot.
		Requests: []string{RoomOpenSubject},
		Serves: []Endpoint{
			{RoomOpenSubject, RoomOpenQueue}, {RoomWaitSubject, RoomOpenQueue},
			{RoomSaySubject("*"), ""}, {RoomStateSubject("*"), ""}, {RoomCloseSubject("*"), ""},
		},
	}
	// Gateway publishes nothing. It purges from its cache what the events name, and sends facts to the readers of its
	// live events. It exchanges personal tokens at auth, and asks auth for sessions.
	Gateway = Program{
		Name:       "gateway",
		Requests:   []string{ExchangeTokenSubject, CheckSessionSubject},
		Subscribes: []string{StateStream.Subjects[0], FactsStream.Subjects[0]},
		Reads:      []Stream{FactsStream},
	}
)

// Services lists the programs behind the gateway, which are trusted. Bots are not among them: they may be programs
// of third parties on other machines.
func Services() []Program {
	return []Program{Auth, Gateway, Maps, Moderation, Notifications, Players, Records}
}

// Programs lists every program.
func Programs() []Program { return append(Services(), Bot) }

// Consumers returns the durable consumers that the program owns.
func (p Program) Consumers() (own []Consumer) {
	for _, c := range Consumers() {
		if strings.HasPrefix(c.Name, p.Name+"-") {
			own = append(own, c)
		}
	}
	return own
}

// CommandName returns the name that an operator's command of the named service connects with.
func CommandName(service string) string { return service + "-command" }

// InboxPrefix returns the prefix of the subjects on which the named program takes answers. No other program may
// subscribe to them.
func InboxPrefix(name string) string { return "_INBOX_" + name }

// Stream describes a JetStream stream. Provisioning makes it, services only use it.
type Stream struct {
	Name     string
	Subjects []string
	// MaxAge is how long a message is retained; zero means without a limit.
	MaxAge time.Duration
	// LastPerSubject keeps only the newest message of each subject.
	LastPerSubject bool
	// WorkQueue keeps a message until it is acknowledged. Each subject has one consumer.
	WorkQueue bool
}

// The streams of the system.
var (
	StateStream = Stream{Name: "STATE", Subjects: []string{"state.v1.>"}, LastPerSubject: true}
	FactsStream = Stream{Name: "FACTS", Subjects: []string{"facts.v1.>"}, MaxAge: 30 * 24 * time.Hour}
	RoomsStream = Stream{Name: "ROOMS", Subjects: []string{RoomEventSubject(">")}, MaxAge: 10 * time.Minute}
	// CommandsStream keeps commands until they have had their effect or were refused.
	CommandsStream = Stream{Name: "COMMANDS", Subjects: []string{"commands.v1.>"}, WorkQueue: true}
)

// Streams lists every stream, in the order in which they are provisioned.
func Streams() []Stream { return []Stream{StateStream, FactsStream, RoomsStream, CommandsStream} }

// Consumer describes a durable pull consumer, shared by the replicas of a service.
type Consumer struct {
	Stream string
	// Name is the durable name. The service that owns it comes first: "records-copies".
	Name string
	// Subjects filter what is delivered.
	Subjects []string
	// Ordered delivers one message after the other, each after the one before has had its effect or was refused. A message
	// that fails keeps its place, and all later ones wait for it.
	Ordered bool
}

// The durable consumers of the system.
var (
	// AuthPlayers keeps auth's copy of players' roles and bans.
	AuthPlayers = Consumer{Stream: "STATE", Name: "auth-players", Subjects: []string{PlayerStatePrefix + ">"}}
	// AuthRooms delivers the bots' reports of verification rooms to auth, in any order.
	AuthRooms = Consumer{Stream: "ROOMS", Name: "auth-rooms", Subjects: []string{RoomEventSubject(">")}}
	// MapsCopies keeps the maps service's copies of players and of record counts.
	MapsCopies = Consumer{Stream: "STATE", Name: "maps-copies",
		Subjects: []string{PlayerStatePrefix + ">", MapStatsPrefix + ">"}}
	// RecordsCopies keeps the records service's copies of players and maps.
	RecordsCopies = Consumer{Stream: "STATE", Name: "records-copies",
		Subjects: []string{PlayerStatePrefix + ">", MapStatePrefix + ">"}}
	// RecordsMaps makes records of the replays with which maps were submitted.
	RecordsMaps = Consumer{Stream: "FACTS", Name: "records-maps",
		Subjects: []string{MapCreatedSubject, MapUpdatedSubject}}
	// NotificationsCopies keeps the notifications service's copies of players and maps.
	NotificationsCopies = Consumer{Stream: "STATE", Name: "notifications-copies",
		Subjects: []string{PlayerStatePrefix + ">", MapStatePrefix + ">"}}
	// NotificationsFacts delivers the changes that players are told of.
	NotificationsFacts = Consumer{Stream: "FACTS", Name: "notifications-facts",
		Subjects: []string{"facts.v1.record.>", MapCreatedSubject, "facts.v1.moderation.>", "facts.v1.report.>",
			"facts.v1.appeal.>", PointsChangedSubject}}
	// NotificationsWebhooks delivers the facts whose public events are sent to webhooks, in their order.
	NotificationsWebhooks = Consumer{Stream: "FACTS", Name: "notifications-webhooks",
		Subjects: []string{"facts.v1.record.>", "facts.v1.map.>", PlayerRegisteredSubject, PlayerMergedSubject,
			PlayerDeletedSubject}, Ordered: true}
	// ModerationCopies keeps the moderation service's copies of players and maps.
	ModerationCopies = Consumer{Stream: "STATE", Name: "moderation-copies",
		Subjects: []string{PlayerStatePrefix + ">", MapStatePrefix + ">"}}
	// ModerationFacts delivers what was carried out or refused, and the records to flag.
	ModerationFacts = Consumer{Stream: "FACTS", Name: "moderation-facts",
		Subjects: []string{"facts.v1.record.>", MapRemovedSubject, MapRestoredSubject, MapUnrankedSubject, MapRankedSubject,
			PlayerBannedSubject, PlayerUnbannedSubject, PlayerMergedSubject, CommandRefusedSubject}}
	// ModerationAudit collects the audit log of all services.
	ModerationAudit = Consumer{Stream: "FACTS", Name: "moderation-audit",
		Subjects: []string{AuditWrittenSubject}}
	// PlayersCopies keeps the players service's counts of maps and records.
	PlayersCopies = Consumer{Stream: "STATE", Name: "players-copies",
		Subjects: []string{MapStatePrefix + ">", PlayerStatsPrefix + ">"}}
	// MapsCommands, PlayersCommands and RecordsCommands carry out the moderators' decisions, in the order in which they
	// were made: a command to show a player that came after a later one to hide the player would undo it.
	MapsCommands = Consumer{Stream: "COMMANDS", Name: "maps-commands", Subjects: []string{"commands.v1.maps.>"},
		Ordered: true}
	PlayersCommands = Consumer{Stream: "COMMANDS", Name: "players-commands",
		Subjects: []string{"commands.v1.players.>"}, Ordered: true}
	RecordsCommands = Consumer{Stream: "COMMANDS", Name: "records-commands",
		Subjects: []string{"commands.v1.records.>"}, Ordered: true}
)

// Consumers lists every durable consumer.
func Consumers() []Consumer {
	return []Consumer{
		AuthPlayers, AuthRooms, MapsCopies, MapsCommands, ModerationCopies, ModerationFacts, ModerationAudit,
		NotificationsCopies, NotificationsFacts, NotificationsWebhooks, PlayersCopies, PlayersCommands, RecordsCopies,
		RecordsMaps, RecordsCommands,
	}
}
