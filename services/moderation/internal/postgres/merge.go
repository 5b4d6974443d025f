package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":           "the row becomes a tombstone",
	"players.merged_into":  "becomes the id of the player merged into, also of players merged before",
	"maps.author_id":       "becomes that of the player merged into",
	"cases.subject_id":     "becomes that of the player merged into; of two open cases about the players one stays, with all reports",
	"cases.player_id":      "becomes that of the player merged into",
	"cases.claimed_by":     "becomes that of the player merged into",
	"reports.reporter_id":  "becomes that of the player merged into; of two in one case the older stays",
	"decisions.subject_id": "becomes that of the player merged into",
	"decisions.player_id":  "becomes that of the player merged into",
	"decisions.by_id":      "becomes that of the player merged into",
	"decisions.into_id":    "becomes that of the player merged into",
	"appeals.player_id":    "becomes that of the player merged into",
}

const (
	mergeAuthorsSQL = `update maps set author_id = @into where author_id = @from`
	// mergeCasesSQL moves the reports of the open case about the one to that about the other, if both are open.
	mergeCasesSQL = `
		update reports set case_id = o.id
		from cases c, cases o
		where reports.case_id = c.id and c.subject_kind = 'player' and c.subject_id = @from and c.open
			and o.subject_kind = 'player' and o.subject_id = @into and o.open
			and not exists (select from reports r where r.case_id = o.id and r.reporter_id = reports.reporter_id)`
	deleteCaseSQL = `
		delete from cases c
		where c.subject_kind = 'player' and c.subject_id = @from and c.open and exists (
			select from cases o where o.subject_kind = 'player' and o.subject_id = @into and o.open)`
	mergeSubjectsSQL = `
		update cases set subject_id = @into where subject_kind = 'player' and subject_id = @from`
	mergeCasePlayersSQL = `update cases set player_id = @into where player_id = @from`
	mergeClaimsSQL      = `update cases set claimed_by = @into where claimed_by = @from`
	deleteReportsSQL    = `
		delete from reports r using reports o
		where r.reporter_id in (@from, @into) and o.reporter_id in (@from, @into) and o.case_id = r.case_id
			and (o.created_at, o.id) < (r.created_at, r.id)`
	mergeReportersSQL = `update reports set reporter_id = @into where reporter_id = @from`
	// recountCasesSQL follows all changes of reports.
	recountCasesSQL = `
		update cases c set reports = r.count, priority = r.weight + c.flags * @flag_weight
		from (
			select c.id, count(r.id) as count, coalesce(sum(r.weight), 0) as weight
			from cases c left join reports r on r.case_id = c.id
			where c.id in (select case_id from reports where reporter_id = @into) or c.id in (
				select id from cases where subject_id = @into)
			group by c.id
		) r
		where c.id = r.id and c.open and (c.reports, c.priority) is distinct from (r.count, r.weight + c.flags * @flag_weight)`
	mergeDecisionSubjectsSQL = `
		update decisions set subject_id = @into where subject_kind = 'player' and subject_id = @from`
	mergeDecisionPlayersSQL = `update decisions set player_id = @into where player_id = @from`
	mergeDecidersSQL        = `update decisions set by_id = @into where by_id = @from`
	mergeIntoSQL            = `update decisions set into_id = @into where into_id = @from`
	mergeAppealsSQL         = `update appeals set player_id = @into where player_id = @from`
)

// merge gives everything of a player whose copy is a tombstone to whom the player was merged into.
func merge(ctx context.Context, tx pgx.Tx, from, into string) error {
	args := pgx.NamedArgs{"from": from, "into": into, "flag_weight": moderation.FlagWeight}
	err := postgres.ExecBatch(ctx, tx, args, mergeAuthorsSQL, mergeCasesSQL, deleteCaseSQL, mergeSubjectsSQL,
		mergeCasePlayersSQL, mergeClaimsSQL, deleteReportsSQL, mergeReportersSQL, recountCasesSQL,
		mergeDecisionSubjectsSQL, mergeDecisionPlayersSQL, mergeDecidersSQL, mergeIntoSQL, mergeAppealsSQL)
	return postgres.Wrap(err, "merge player %s into %s", from, into)
}
