package postgres

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/services/moderation/internal/moderation"
)

// subjectColumns are the columns of subjectTargets.
const subjectColumns = `subject_kind, subject_id, coalesce(player_id::text, ''), coalesce(map_id::text, ''),
	coalesce(finish_time, 0)`

// subjectTargets returns where a row of subjectColumns is scanned to.
func subjectTargets(s *moderation.Subject) []any {
	return []any{&s.Kind, &s.ID, &s.PlayerID, &s.MapID, &s.FinishTime}
}

// subjectArgs adds the columns of a subject to args.
func subjectArgs(s moderation.Subject, args pgx.NamedArgs) pgx.NamedArgs {
	args["subject_kind"], args["subject"] = s.Kind, s.ID
	args["player"], args["map"] = zeronull.Text(s.PlayerID), zeronull.Text(s.MapID)
	args["finish_time"] = zeronull.Int8(s.FinishTime)
	return args
}
