package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/migrations"
)

// Every statement of requests and facts uses indexes.
func TestStore_plans(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "many cases", migrations.FS, fill)
	for _, s := range []struct{ name, sql, index string }{
		{"Player", copies.PlayerSQL, "players_pkey"},
		{"texts of reports", emptyReportsSQL, "reports_reporter"},
		{"texts of appeals", emptyAppealsSQL, "appeal_messages_appeal"},
		{"Players", playersSQL, "players_pkey"},
		{"Moderators", moderatorsSQL, "players_with_roles"},
		{"Map", copies.MapSQL, "maps_pkey"},
		{"Maps", mapsSQL, "maps_pkey"},
		{"Cases by priority", casesByPrioritySQL, "cases_by_priority"},
		{"Cases by age", casesByAgeSQL, "cases_by_age"},
		{"Cases, closed", closedCasesSQL, "cases_closed_at"},
		{"CasesAbout", casesAboutSQL, "cases_player"},
		{"a case", caseSQL, "cases_pkey"},
		{"reports of a case", caseReportsSQL, "reports_once"},
		{"accuracy of the reporters of a case", caseReportsSQL, "reports_accuracy"},
		{"flags of a case", caseFlagsSQL, "flags_case"},
		{"a case, locked", lockCaseSQL, "cases_pkey"},
		{"the open case", findOpenCaseSQL, "cases_open"},
		{"an own report", ownReportSQL, "reports_once"},
		{"reports of a day", countReportsSQL, "reports_reporter"},
		{"accuracy", accuracySQL, "reports_accuracy"},
		{"Decision", decisionSQL, "decisions_pkey"},
		{"Decisions", decisionsSQL, "decisions_pkey"},
		{"what has undone a decision", decisionSQL, "decisions_undoes"},
		{"FindRepeated", findRepeatedSQL, "decisions_subject"},
		{"DecisionsOfCase", decisionsOfCaseSQL, "decisions_case"},
		{"DecisionsAbout", decisionsAboutSQL, "decisions_player"},
		{"later decisions about a thing", laterDecisionsSQL, "decisions_subject"},
		{"later decisions about a player", laterDecisionsSQL, "decisions_player"},
		{"bans that hide records", hidingsSQL, "decisions_player"},
		{"OwnDecisions", ownDecisionsSQL, "decisions_player"},
		{"a message of an appeal", insertMessageSQL, "appeals_pkey"},
		{"reporters of a thing", reportersSQL, "cases_subject"},
		{"reporters of a case", reportersOfCaseSQL, "reports_once"},
		{"reports that are moved", moveReportsSQL, "reports_once"},
		{"flags that are moved", moveFlagsSQL, "flags_case"},
		{"commands of a decision", commandsSQL, "decision_commands_pkey"},
		{"LastAppeals", lastAppealsSQL, "appeals_decision"},
		{"open appeals", openAppealsSQL, "appeals_waiting"},
		{"answered appeals", answeredAppealsSQL, "appeals_answered"},
		{"messages of appeals", appealMessagesSQL, "appeal_messages_appeal"},
		{"an appeal that a decision grants", lockAppealOfSQL, "appeals_granted_by"},
		{"who sees the log", viewerSQL, "players_"},
		{"AuditLog", auditSQL, "audit_log_at"},
		{"AuditLog of a subject", auditOfSubjectSQL, "audit_log_subject"},
		{"AuditLog of an actor", auditOfActorSQL, "audit_log_actor"},
		{"AuditLog of an action", auditOfActionSQL, "audit_log_action"},
		{"FlagPrecisions", flagPrecisionsSQL, "flags_precision"},
		{"HasFlaggedCase", hasFlaggedCaseSQL, "cases_open"},
		{"Purge of cases", purgeCasesSQL, "cases_closed_at"},
		{"Purge of flags", purgeFlagsSQL, "flags_silent"},
		{"Purge of appeals", purgeAppealsSQL, "appeals_answered"},
		{"Purge of dismissals", purgeDismissalsSQL, "decisions_created_at"},
		{"merge, authors", mergeAuthorsSQL, "maps_author"},
		{"merge, subjects", mergeSubjectsSQL, "cases_subject"},
		{"merge, players of cases", mergeCasePlayersSQL, "cases_player"},
		{"merge, claims", mergeClaimsSQL, "cases_claimed_by"},
		{"merge, reporters", mergeReportersSQL, "reports_"},
		{"merge, subjects of decisions", mergeDecisionSubjectsSQL, "decisions_subject"},
		{"merge, players of decisions", mergeDecisionPlayersSQL, "decisions_player"},
		{"merge, deciders", mergeDecidersSQL, "decisions_by"},
		{"merge, players merged into", mergeIntoSQL, "decisions_into"},
		{"merge, appeals", mergeAppealsSQL, "appeals_player"},
	} {
		plan := pgtest.GenericPlan(t, pool, s.sql)
		if !strings.Contains(plan, s.index) || strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s does not use %s, or reads a whole table:\n%s", s.name, s.index, plan)
		}
	}
	exporttest.WantPlans(t, pool, Exports)
}

func fill(ctx context.Context, pool *postgres.Pool) error {
	for _, sql := range []string{
		`create function invented_id(n int) returns uuid language sql as $$ select lpad(n::text, 32, '0')::uuid $$`,
		`insert into players (id, version, name, roles, registered)
			select invented_id(n), 1, 'Player ' || n, case when n % 500 = 0 then '{moderator}' else '{}' end::text[], true
			from generate_series(1, 10000) n`,
		`insert into maps
			select invented_id(n), 1, false, 'Map ' || n, n, invented_id(n % 3000), false, false from generate_series(1, 10000) n`,
		`insert into cases (id, subject_kind, subject_id, player_id, map_id, finish_time, open, priority, reports, flags, opened_at,
				closed_at, claimed_by, claimed_until, decision_id)
			select invented_id(n), 'record', invented_id(n), invented_id(n % 2000), invented_id(n % 100), 40000,
				n % 5 = 0, n % 100, 2, 1,
				now() - n * interval '1 minute', case when n % 5 > 0 then now() - n * interval '1 minute' end,
				case when n % 50 = 0 then invented_id(n % 7) end, case when n % 50 = 0 then now() end,
				case when n % 5 > 0 then invented_id(n) end
			from generate_series(1, 10000) n`,
		`insert into reports (id, case_id, reporter_id, reason, text, weight, created_at, confirmed, closed_at)
			select invented_id(2 * n + m), invented_id(n), invented_id((n + 17 * m) % 1000), 'edited', '', 20,
				now() - n * interval '1 minute',
				case when n % 5 > 0 then true end, case when n % 5 > 0 then now() end
			from generate_series(1, 10000) n, generate_series(0, 1) m`,
		`insert into flags
			select invented_id(n), invented_id(n), case when n % 3 > 0 then invented_id(n) end,
				(array['large_lead', 'new_account', 'same_moment', 'impossible_pace', 'copied_finish'])[1 + n % 5], false, '{}',
				now() - n * interval '1 minute', case when n % 3 = 1 then true end, case when n % 3 = 1 then now() end
			from generate_series(1, 10000) n`,
		`insert into decisions (id, kind, subject_kind, subject_id, player_id, map_id, finish_time, by_id, public_reason, text, state,
				keep_records, into_id, case_id, undoes, needless, created_at)
			select invented_id(n), 'ban', 'player', invented_id(n % 2000), invented_id(n % 2000), null, null,
				invented_id(n % 200), 'other', '',
				'carried_out', false, case when n % 10 = 0 then invented_id(n) end, invented_id(n),
				case when n > 7500 then invented_id(n - 5000) end, false, now() - n * interval '1 minute'
			from generate_series(1, 10000) n`,
		`insert into decision_commands
			select invented_id(n), m, 'commands.v1.players.ban', 'done' from generate_series(1, 10000) n, generate_series(0, 1) m`,
		`insert into appeals
			select invented_id(n), invented_id(n), invented_id(n % 2000), case when n % 10 = 0 then 'open' else 'kept' end,
				case when n % 10 = 0 then now() end, case when n % 10 > 0 then now() - n * interval '1 minute' end,
				case when n % 10 > 7 then invented_id(n) end, now()
			from generate_series(1, 10000) n`,
		`insert into appeal_messages
			select invented_id(2 * n + m), invented_id(n), m = 1, 'text', now() from generate_series(1, 10000) n, generate_series(0, 1) m`,
		`insert into audit_log (at, actor_kind, actor, actor_name, action, subject, reason, public_reason,
				decision_id, before, after)
			select now() - n * interval '1 minute', 'player', (n % 50)::text, '', (n % 20)::text, (n % 5000)::text,
				'', '', '', '{}', '{}'
			from generate_series(1, 10000) n`,
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return pgtest.Vacuum(ctx, pool, "players", "maps", "cases", "reports", "flags", "decisions", "decision_commands",
		"appeals", "appeal_messages", "audit_log")
}
