package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

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
			select ` + mapColumns + ` from maps
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
		following.Maps, err = postgres.Collect(ctx, s.db, scanMap, followingMapsSQL, args)
	}
	if err != nil {
		return notification.Following{}, fmt.Errorf("follows of player %s: %w", followerID, err)
	}
	return following, nil
}

// scanActor scans what is shown of a player in a list.
func scanActor(row pgx.CollectableRow) (p notification.Player, err error) {
	err = row.Scan(&p.ID, &p.Name, &p.SkinImageURL, &p.SkinColor, &p.Deleted)
	return p, err
}

func scanMap(row pgx.CollectableRow) (m notification.Map, err error) {
	err = row.Scan(mapTargets(&m)...)
	return m, err
}

// FollowedPlayers implements notification.FollowStore.
func (s *Store) FollowedPlayers(ctx context.Context, followerID string) ([]string, error) {
	return s.ids(ctx, followedPlayersSQL, pgx.NamedArgs{"follower": followerID})
}

const (
	// A fact may name a player who was merged since, whose followers follow whom the player was merged into.
	followersOfPlayerSQL = `
		select follower_id from player_follows
		where player_id = coalesce((select merged_into from players where id = @player), @player)
		order by follower_id`
	followersOfMapSQL = `select follower_id from map_follows where game_map_id = @game_map_id order by follower_id`
)

// FollowersOfPlayer implements notification.Followers.
func (s *Store) FollowersOfPlayer(ctx context.Context, playerID string) ([]string, error) {
	return s.ids(ctx, followersOfPlayerSQL, pgx.NamedArgs{"player": playerID})
}

// FollowersOfMap implements notification.Followers.
func (s *Store) FollowersOfMap(ctx context.Context, gameMapID int64) ([]string, error) {
	return s.ids(ctx, followersOfMapSQL, pgx.NamedArgs{"game_map_id": gameMapID})
}

const versionsSQL = `select id from maps where game_map_id = @game_map_id and not removed order by id`

// Versions implements notification.Followers.
func (s *Store) Versions(ctx context.Context, gameMapID int64) ([]string, error) {
	return s.ids(ctx, versionsSQL, pgx.NamedArgs{"game_map_id": gameMapID})
}

func (s *Store) ids(ctx context.Context, sql string, args pgx.NamedArgs) ([]string, error) {
	ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], sql, args)
	if err != nil {
		return nil, fmt.Errorf("follows: %w", err)
	}
	return ids, nil
}

const (
	followsPlayerSQL = `select exists (select from player_follows where follower_id = @follower and player_id = @player)`
	followsMapSQL    = `
		select exists (select from map_follows where follower_id = @follower and game_map_id = @game_map_id)`
)

// FollowsPlayer implements notification.FollowStore.
func (s *Store) FollowsPlayer(ctx context.Context, followerID, playerID string) (follows bool, err error) {
	args := pgx.NamedArgs{"follower": followerID, "player": playerID}
	if err := s.db.QueryRow(ctx, followsPlayerSQL, args).Scan(&follows); err != nil {
		return false, fmt.Errorf("follow of player %s: %w", playerID, err)
	}
	return follows, nil
}

// FollowsMap implements notification.FollowStore.
func (s *Store) FollowsMap(ctx context.Context, followerID string, gameMapID int64) (follows bool, err error) {
	args := pgx.NamedArgs{"follower": followerID, "game_map_id": gameMapID}
	if err := s.db.QueryRow(ctx, followsMapSQL, args).Scan(&follows); err != nil {
		return false, fmt.Errorf("follow of map %d: %w", gameMapID, err)
	}
	return follows, nil
}

const (
	followPlayerSQL = `
		insert into player_follows (follower_id, player_id) values (@follower, @player) on conflict do nothing`
	followMapSQL = `
		insert into map_follows (follower_id, game_map_id) values (@follower, @game_map_id) on conflict do nothing`
	countPlayerFollowsSQL = `select count(*) from player_follows where follower_id = @follower`
	countMapFollowsSQL    = `select count(*) from map_follows where follower_id = @follower`
	unfollowPlayerSQL     = `delete from player_follows where follower_id = @follower and player_id = @player`
	unfollowMapSQL        = `delete from map_follows where follower_id = @follower and game_map_id = @game_map_id`
)

// FollowPlayer implements notification.FollowStore.
func (s *Store) FollowPlayer(ctx context.Context, followerID, playerID string) error {
	return s.follow(ctx, followerID, func(tx pgx.Tx, follower string) error {
		player, err := mergedInto(ctx, tx, playerID)
		if err != nil {
			return err
		}
		if player == follower {
			return notification.ErrFollowSelf
		}
		deleted, err := isDeleted(ctx, tx, player)
		switch {
		case err != nil:
			return err
		case deleted:
			return notification.ErrPlayerUnknown
		}
		return insertFollow(ctx, tx, followPlayerSQL, countPlayerFollowsSQL,
			pgx.NamedArgs{"follower": follower, "player": player})
	})
}

// FollowMap implements notification.FollowStore.
func (s *Store) FollowMap(ctx context.Context, followerID string, gameMapID int64) error {
	return s.follow(ctx, followerID, func(tx pgx.Tx, follower string) error {
		return insertFollow(ctx, tx, followMapSQL, countMapFollowsSQL,
			pgx.NamedArgs{"follower": follower, "game_map_id": gameMapID})
	})
}

// follow calls insert under the lock of the follower's inbox, so that concurrent follows are counted.
func (s *Store) follow(
	ctx context.Context, followerID string, insert func(tx pgx.Tx, follower string) error,
) error {
	err := s.change(ctx, followerID, func(tx pgx.Tx, follower string) error {
		if err := lockInboxes(ctx, tx, follower); err != nil {
			return err
		}
		return insert(tx, follower)
	})
	if err != nil {
		return fmt.Errorf("follow of player %s: %w", followerID, err)
	}
	return nil
}

// insertFollow returns notification.ErrFollowsFull for one more than notification.MaxFollows.
func insertFollow(ctx context.Context, tx pgx.Tx, insertSQL, countSQL string, args pgx.NamedArgs) error {
	inserted, err := tx.Exec(ctx, insertSQL, args)
	if err != nil || inserted.RowsAffected() == 0 {
		return err
	}
	var count int
	if err := tx.QueryRow(ctx, countSQL, args).Scan(&count); err != nil {
		return err
	}
	if count > notification.MaxFollows {
		return notification.ErrFollowsFull
	}
	return nil
}

// UnfollowPlayer implements notification.FollowStore.
func (s *Store) UnfollowPlayer(ctx context.Context, followerID, playerID string) error {
	err := s.change(ctx, followerID, func(tx pgx.Tx, follower string) error {
		player, err := mergedInto(ctx, tx, playerID)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, unfollowPlayerSQL, pgx.NamedArgs{"follower": follower, "player": player})
		return err
	})
	if err != nil {
		return fmt.Errorf("unfollow player %s: %w", playerID, err)
	}
	return nil
}

// UnfollowMap implements notification.FollowStore.
func (s *Store) UnfollowMap(ctx context.Context, followerID string, gameMapID int64) error {
	err := s.change(ctx, followerID, func(tx pgx.Tx, follower string) error {
		_, err := tx.Exec(ctx, unfollowMapSQL, pgx.NamedArgs{"follower": follower, "game_map_id": gameMapID})
		return err
	})
	if err != nil {
		return fmt.Errorf("unfollow map %d: %w", gameMapID, err)
	}
	return nil
}
