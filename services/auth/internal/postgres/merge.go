package postgres

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":          "the row stays as a tombstone",
	"players.merged_into": "stays null",
	"families.player_id":  "stays: all families of the player are revoked, and expire",

	"personal_tokens.player_id": "stays: all tokens of the player are revoked, and deleted after 30 days",
}
