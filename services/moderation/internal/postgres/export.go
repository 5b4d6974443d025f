package postgres

import "capzone.dev/platform/export"

// Exports is what the service stores of a player: own reports, decisions about the player as the player is told of
// them, own appeals, and what the player has decided and changed with a role. Who else has reported or decided, and
// what moderators told each other, are not in it.
var Exports = []export.Part{
	{
		Kind: "report", First: "-infinity|" + export.FirstID, Tables: []string{"reports", "cases"},
		SQL: `
			select r.created_at || '|' || r.id as key, jsonb_build_object('id', r.id, 'subjectKind', c.subject_kind,
				'subjectId', c.subject_id, 'reason', r.reason, 'text', r.text, 'createdAt', r.created_at,
				'confirmed', r.confirmed, 'closedAt', r.closed_at)
			from reports r join cases c on c.id = r.case_id
			where r.reporter_id = @player and (r.created_at, r.id)
				> (split_part(@after, '|', 1)::timestamptz, split_part(@after, '|', 2)::uuid)
			order by r.created_at, r.id limit @limit`,
	},
	{
		Kind: "decisionMade", First: export.FirstID, Tables: []string{"decisions"},
		SQL: `
			select d.id::text as key, jsonb_build_object('id', d.id, 'kind', d.kind, 'subjectKind', d.subject_kind,
				'subjectId', d.subject_id, 'publicReason', d.public_reason, 'text', d.text, 'state', d.state,
				'createdAt', d.created_at)
			from decisions d where d.by_id = @player and d.id > @after::uuid order by d.id limit @limit`,
	},
	{
		// Without the values before and after, which may have names of others.
		Kind: "loggedChange", First: "-infinity|0", Tables: []string{"audit_log"},
		SQL: `
			select l.at || '|' || l.id as key, jsonb_build_object('at', l.at, 'action', l.action, 'subject', l.subject,
				'reason', l.reason, 'publicReason', l.public_reason, 'decisionId', l.decision_id)
			from audit_log l
			where l.actor = @player::text and l.actor_kind = 'player' and (l.at, l.id)
				> (split_part(@after, '|', 1)::timestamptz, split_part(@after, '|', 2)::bigint)
			order by l.at, l.id limit @limit`,
	},
	{
		Kind: "decision", First: "-infinity|" + export.FirstID, Tables: []string{"decisions"},
		SQL: `
			select d.created_at || '|' || d.id, jsonb_build_object('id', d.id, 'kind', d.kind, 'subjectKind', d.subject_kind,
				'subjectId', d.subject_id, 'publicReason', d.public_reason, 'text', d.text, 'state', d.state,
				'until', d.until, 'createdAt', d.created_at)
			from decisions d
			where d.player_id = @player and d.kind not in ('dismiss', 'reopen')
				and (d.created_at, d.id) > (split_part(@after, '|', 1)::timestamptz, split_part(@after, '|', 2)::uuid)
			order by d.created_at, d.id limit @limit`,
	},
	{
		Kind: "appeal", First: export.FirstID, Tables: []string{"appeals"},
		SQL: `
			select a.id::text as key, jsonb_build_object('id', a.id, 'decisionId', a.decision_id, 'state', a.state,
				'createdAt', a.created_at, 'answeredAt', a.answered_at, 'messages', (
					select coalesce(jsonb_agg(jsonb_build_object('fromModerator', m.from_moderator, 'text', m.text,
						'createdAt', m.created_at) order by m.created_at, m.id), '[]')
					from appeal_messages m where m.appeal_id = a.id))
			from appeals a where a.player_id = @player and a.id > @after::uuid order by a.id limit @limit`,
	},
}

// NotExported are the tables with a player's id that Exports leaves out, with the reason.
var NotExported = map[string]string{
	"players": "is a copy of what the players service exports", "maps": "is a copy of what the maps service exports",
}
