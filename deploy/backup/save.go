package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// save mirrors the files, dumps the databases, and mirrors what came meanwhile:
// a row is written after its file, so that every file that a dumped row names has
// been seen. What has gone is removed from the mirror last.
func (b backup) save(ctx context.Context) error {
	seen := map[string]map[string]bool{}
	for _, service := range buckets {
		seen[service] = map[string]bool{}
	}
	if err := b.mirror(ctx, seen); err != nil {
		return err
	}
	fresh := b.dumps() + ".new"
	if err := errors.Join(os.RemoveAll(fresh), os.MkdirAll(fresh, 0o700)); err != nil {
		return err
	}
	for _, service := range databases {
		if err := b.dump(ctx, service, dumpOf(fresh, service)); err != nil {
			return err
		}
	}
	if err := b.mirror(ctx, seen); err != nil {
		return err
	}
	if err := replace(b.dumps(), fresh); err != nil {
		return err
	}
	return b.prune(seen)
}

// mirror fetches every file that the mirror lacks, and notes all that there are.
func (b backup) mirror(ctx context.Context, seen map[string]map[string]bool) error {
	for _, service := range buckets {
		count := 0
		err := b.files.each(ctx, bucket(service), func(key string, size int64) error {
			seen[service][key] = true
			// A key is made of the content's hash: what is there is the same.
			if info, err := os.Stat(b.path(service, key)); err == nil && info.Size() == size {
				return nil
			}
			count++
			return b.files.fetch(ctx, bucket(service), key, b.path(service, key))
		})
		if err != nil {
			return fmt.Errorf("files of %s: %w", service, err)
		}
		b.say("%d new files of %s", count, service)
	}
	return nil
}

// replace puts a folder in the place of another, so that one of both is always whole.
func replace(folder, fresh string) error {
	old := folder + ".old"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(folder, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, folder); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

// prune removes the files that were in no bucket.
func (b backup) prune(seen map[string]map[string]bool) error {
	for service, keys := range seen {
		count := 0
		err := b.eachMirrored(service, func(key, path string) error {
			if keys[key] {
				return nil
			}
			count++
			return os.Remove(path)
		})
		if err != nil {
			return err
		}
		if count > 0 {
			b.say("%d files of %s have gone", count, service)
		}
	}
	return nil
}

// eachMirrored calls do for each file of the mirror.
func (b backup) eachMirrored(service string, do func(key, path string) error) error {
	root := b.filesOf(service)
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == root {
			return nil // it never kept a file
		}
		if err != nil || entry.IsDir() {
			return err
		}
		key, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(key), path)
	})
}
