package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
)

const (
	followedPlayersSQL  = `select player_id from player_follows where follower_id = @follower order by player_id`
	followingPlayersSQL = `
		select p.id, p.name, p.skin_image_url, p.skin_color, p.deleted
		from player_follows f join players p on p.id = f.player_id
		where f.follower_id = @follower
		order by lower(p.name), p.id`
	// followingMapsSQL selects the newest version of each map. A map that is removed is not listed, and listed again when
	// it is restored.
	followingMapsSQL = `
		select m.*
		from map_follows f cross join lateral (
			select ` + copies.MapColumns + ` from maps
			where game_map_id = f.game_map_id and not removed and not superseded
			order by id desc
			limit 1
		) m
		where f.follower_id = @follower
		order by lower(m.name), m.id`
)

// Following implements notification.FollowStore.
func (s *Store) Following(ctx context.Context, followerID string) (following notification.Following, err error) {
	args := pgx.NamedArgs{"follower": followerID}
	if following.Players, err = postgres.Collect(ctx, s.db, scanActor, followingPlayersSQL, args); err == nil {
		following.Maps, err = postgres.Collect(ctx, s.db, copies.ScanMap, followingMapsSQL, args)
	}
	return following, postgres.Wrap(err, "follows of player %s", followerID)
}

// FollowedPlayers implements notification.FollowStore.
func (s *Store) FollowedPlayers(ctx context.Context, followerID string) ([]string, error) {
	return s.ids(ctx, followedPlayersSQL, pgx.NamedArgs{"follower": followerID})
}

func (s *Store) ids(ctx context.Context, sql string, args pgx.NamedArgs) ([]string, error) {
	ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], sql, args)
	return ids, postgres.Wrap(err, "follows")
}

const (
	isFollowingSQL = `
		select exists (select from player_follows where follower_id = @follower and player_id = @player)
			or exists (select from map_follows where follower_id = @follower and game_map_id = @game_map_id)`
	playerFollowerSQL = `
		select count(*), coalesce(bool_or(player_id = @player), false),
			exists (select from players where id = @player and deleted)
		from player_follows where follower_id = @follower`
	mapFollowerSQL = `
		select count(*), coalesce(bool_or(game_map_id = @game_map_id), false), false
		from map_follows where follower_id = @follower`
	followPlayerSQL = `
		insert into player_follows (follower_id, player_id, created_at) values (@follower, @player, @at)
		on conflict do nothing`
	followMapSQL = `
		insert into map_follows (follower_id, game_map_id, created_at) values (@follower, @game_map_id, @at)
		on conflict do nothing`
	unfollowPlayerSQL = `delete from player_follows where follower_id = @follower and player_id = @player`
	unfollowMapSQL    = `delete from map_follows where follower_id = @follower and game_map_id = @game_map_id`
)

func followArgs(followerID string, to notification.Followed) pgx.NamedArgs {
	return pgx.NamedArgs{"follower": followerID, "player": zeronull.Text(to.PlayerID), "game_map_id": to.GameMapID}
}

// IsFollowing implements notification.FollowStore.
func (s *Store) IsFollowing(ctx context.Context, followerID string, to notification.Followed) (is bool, err error) {
	err = s.db.QueryRow(ctx, isFollowingSQL, followArgs(followerID, to)).Scan(&is)
	return is, postgres.Wrap(err, "follow of player %s", followerID)
}

// Follow implements notification.FollowStore. The lock of the follower's inbox makes concurrent follows count each
// other.
func (s *Store) Follow(ctx context.Context, by access.Attribution, to notification.Followed, at time.Time) error {
	readSQL, followSQL := playerFollowerSQL, followPlayerSQL
	if to.Kind == notification.FollowMap {
		readSQL, followSQL = mapFollowerSQL, followMapSQL
	}
	err := s.change(ctx, by, func(tx pgx.Tx, followerID string) (err error) {
		if to.PlayerID, err = copies.Current(ctx, tx, to.PlayerID); err != nil {
			return err
		}
		if err := lockInboxes(ctx, tx, followerID); err != nil {
			return err
		}
		follower, args := notification.Follower{ID: followerID}, followArgs(followerID, to)
		err = tx.QueryRow(ctx, readSQL, args).Scan(&follower.Count, &follower.IsFollowing, &follower.IsDeleted)
		if err != nil {
			return err
		}
		if err := follower.CheckFollow(to); err != nil {
			return err
		}
		args["at"] = at
		_, err = tx.Exec(ctx, followSQL, args)
		return err
	})
	return postgres.Wrap(err, "follow of player %s", by.Actor.ID)
}

// Unfollow implements notification.FollowStore. Of its two statements, one finds nothing.
func (s *Store) Unfollow(ctx context.Context, by access.Attribution, to notification.Followed) error {
	err := s.change(ctx, by, func(tx pgx.Tx, followerID string) (err error) {
		if to.PlayerID, err = copies.Current(ctx, tx, to.PlayerID); err != nil {
			return err
		}
		return postgres.ExecBatch(ctx, tx, followArgs(followerID, to), unfollowPlayerSQL, unfollowMapSQL)
	})
	return postgres.Wrap(err, "follow of player %s", by.Actor.ID)
}
