package httpserve

import (
	"context"
	"strings"
)

// Headers of responses for the gateway's cache. The gateway removes them.
const (
	// SurrogateKeyHeader names what a response to GET shows, or what a write has changed.
	// The value is surrogate keys, separated by spaces.
	SurrogateKeyHeader = "Surrogate-Key"
	// CacheControl is the Cache-Control of public responses, with times in seconds: the
	// gateway may store them for s-maxage, and serve them for stale-if-error when the
	// service does not answer.
	CacheControl = "public, max-age=0, s-maxage=10, stale-if-error=60"
)

// SurrogateKey names an entity or a group of entities that responses show. All services
// share one set of keys: "map:<id>" is on every response that shows the map.
type SurrogateKey string

// The keys of groups. A list carries the key of its group, because an entity that is not on
// it yet can come to belong there, and the keys of the entities that it shows.
const (
	// MapsKey is on lists of maps.
	MapsKey SurrogateKey = "maps"
	// MapsByRecordsKey is on lists of maps that are sorted by their number of records.
	MapsByRecordsKey SurrogateKey = "maps-by-records"
	// MapsByAuthorKey is on lists of maps that are filtered by the author's name.
	MapsByAuthorKey SurrogateKey = "maps-by-author"
	// PlayersKey is on lists of players.
	PlayersKey SurrogateKey = "players"
	// RecordsKey is on lists of the records of all maps.
	RecordsKey SurrogateKey = "records"
	// StatsKey is on the totals of the site.
	StatsKey SurrogateKey = "stats"
)

// MapKey returns the key of a map, its leaderboard and its records.
func MapKey(id string) SurrogateKey { return SurrogateKey("map:" + strings.ToLower(id)) }

// PlayerKey returns the key of a player and the player's records.
func PlayerKey(id string) SurrogateKey { return SurrogateKey("player:" + strings.ToLower(id)) }

// TagCacheable declares that the response to the request of ctx is the same for everybody
// and shows what the keys name.
func TagCacheable(ctx context.Context, keys ...SurrogateKey) {
	if header := ResponseHeader(ctx); header != nil {
		header.Set("Cache-Control", CacheControl)
		header.Set(SurrogateKeyHeader, joinKeys(keys))
	}
}

// TagChanged declares that the request of ctx has changed what the keys name. The gateway
// purges these keys before it passes the response on.
func TagChanged(ctx context.Context, keys ...SurrogateKey) {
	if header := ResponseHeader(ctx); header != nil {
		header.Set(SurrogateKeyHeader, joinKeys(keys))
	}
}

func joinKeys(keys []SurrogateKey) string {
	var value strings.Builder
	for i, key := range keys {
		if i > 0 {
			value.WriteByte(' ')
		}
		value.WriteString(string(key))
	}
	return value.String()
}
