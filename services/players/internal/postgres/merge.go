package postgres

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":              "the row stays as a tombstone",
	"players.merged_into":     "becomes the id of the player merged into; earlier merges are followed",
	"former_names.player_id":  "becomes the id of the player merged into",
	"deletions.player_id":     "the row is deleted; a deletion that the player merged into has asked for stays",
	"banned_names.player_id":  "has no rows: a deleted player is not merged",
	"map_authors.author_id":   "follows by the states of the maps",
	"player_totals.player_id": "the row stays; the counts follow by the states of the maps and of the totals",
}
