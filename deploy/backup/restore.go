package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
)

// restore brings the files back first and the rows that name them second.
func (b backup) restore(ctx context.Context) error {
	for _, service := range databases {
		if _, err := os.Stat(dumpOf(b.dumps(), service)); err != nil {
			return fmt.Errorf("this is no whole backup: %w", err)
		}
		if err := b.checkEmpty(ctx, service); err != nil {
			return err
		}
	}
	for _, service := range buckets {
		if err := b.restoreFiles(ctx, service); err != nil {
			return fmt.Errorf("files of %s: %w", service, err)
		}
	}
	for _, service := range databases {
		if err := b.restoreDatabase(ctx, service); err != nil {
			return err
		}
	}
	b.say("Everything is back. Start the services, and run `republish` of players, maps and records: the copies follow.")
	return nil
}

// checkEmpty returns an error for a database that anything is in.
func (b backup) checkEmpty(ctx context.Context, service string) error {
	return b.on(ctx, service, func(conn *pgx.Conn) error {
		var tables int
		err := conn.QueryRow(ctx, `select count(*) from pg_tables where schemaname = 'public'`).Scan(&tables)
		if err == nil && tables > 0 {
			err = errors.New("it is not empty: a backup is restored onto empty databases, before any service has started")
		}
		return err
	})
}

func (b backup) restoreFiles(ctx context.Context, service string) error {
	if err := b.files.makeBucket(ctx, bucket(service)); err != nil {
		return err
	}
	count := 0
	err := b.eachMirrored(service, func(key, path string) error {
		count++
		return b.files.put(ctx, bucket(service), key, path)
	})
	b.say("%d files of %s", count, service)
	return err
}

// unsettled makes the databases, which were dumped one after the other, agree
// again. A copy from an older dump than its source takes what is newer by
// itself. One from a younger dump may be ahead of its source: it is emptied, and
// filled by what the source publishes. The facts of the last day are published
// once more: who has taken them in already knows their ids.
var unsettled = map[string][]string{
	"maps":    {`update map_stats set version = 0, records = 0`},
	"players": {`delete from map_authors`, `update player_totals set maps = 0, records = 0, records_version = 0`},
}

const factsAgain = `update outbox set published_at = null where version = 0`

func (b backup) restoreDatabase(ctx context.Context, service string) error {
	if err := b.load(ctx, service, dumpOf(b.dumps(), service)); err != nil {
		return err
	}
	err := b.on(ctx, service, func(conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			for _, statement := range append(unsettled[service], factsAgain) {
				if _, err := tx.Exec(ctx, statement); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
			}
			return nil
		})
	})
	if err == nil {
		b.say("database of %s", service)
	}
	return err
}
