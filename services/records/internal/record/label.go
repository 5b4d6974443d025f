package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"capzone.dev/game/lbreplay"
)

// LabelCount counts the lines of replays with a label that is not known.
type LabelCount struct {
	Label string
	// Replays counts the files, Lines their lines with the label, and Bytes the lengths of these lines' values.
	Replays, Lines, Bytes int64
	// Longest is the length of the longest value, in bytes.
	Longest int64
}

// LabelReport is what all stored replays have besides the known labels.
type LabelReport struct {
	// Labels are sorted by Bytes, largest first.
	Labels []LabelCount
	// Replays counts the files that were read, and Missing those that are not in the storage.
	Replays, Missing int64
}

const (
	// maxLabels bounds the memory of a report: players may invent labels.
	maxLabels = 10_000
	// OtherLabels is the label under which all labels beyond maxLabels are counted.
	OtherLabels = "(other labels)"
	// maxLabelLength is the length at which a label is cut, in bytes.
	maxLabelLength = 64

	hashesBatch = 1000
)

// ReplayHashes lists the replays of records.
type ReplayHashes interface {
	// ReplayHashes returns the hashes after a hash, in their order, of at most limit stored replays.
	ReplayHashes(ctx context.Context, after string, limit int) ([]string, error)
}

// ReplayFiles opens replay files.
type ReplayFiles interface {
	// Open opens the file with the hash. It returns ErrRecordUnknown where there is none.
	Open(ctx context.Context, hash string) (io.ReadSeekCloser, error)
}

// CountLabels counts the unknown labels of all stored replays, which it reads one at a time. progress is called with
// the number of replays after each of batches of them.
func CountLabels(
	ctx context.Context, stored ReplayHashes, files ReplayFiles, progress func(replays int64),
) (report LabelReport, err error) {
	counts := map[string]*LabelCount{}
	hashes := make([]string, hashesBatch)
	for cursor := ""; len(hashes) == hashesBatch; {
		if hashes, err = stored.ReplayHashes(ctx, cursor, hashesBatch); err != nil {
			return LabelReport{}, err
		}
		for _, cursor = range hashes {
			file, err := readReplay(ctx, files, cursor)
			switch {
			case errors.Is(err, ErrRecordUnknown):
				report.Missing++
			case err != nil:
				return LabelReport{}, fmt.Errorf("replay %s: %w", cursor, err)
			default:
				report.Replays++
				countLabels(counts, file)
			}
		}
		progress(report.Replays)
	}
	for _, count := range counts {
		report.Labels = append(report.Labels, *count)
	}
	slices.SortFunc(report.Labels, func(a, b LabelCount) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Label, b.Label))
	})
	return report, nil
}

func readReplay(ctx context.Context, files ReplayFiles, hash string) ([]byte, error) {
	file, err := files.Open(ctx, hash)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxMapReplaySize))
}

// countLabels adds the unknown labels of a replay. Case does not distinguish labels.
func countLabels(counts map[string]*LabelCount, file []byte) {
	inFile := map[string]bool{}
	for line := range lbreplay.UnknownLines(file) {
		label := strings.ToLower(line.Label)
		if len(label) > maxLabelLength {
			label = strings.ToValidUTF8(label[:maxLabelLength], "") + "…"
		}
		count, known := counts[label]
		if !known {
			if len(counts) >= maxLabels {
				label = OtherLabels
			}
			if count = counts[label]; count == nil {
				count = &LabelCount{Label: strings.Clone(label)}
				counts[count.Label] = count
			}
		}
		if !inFile[label] {
			inFile[label] = true
			count.Replays++
		}
		count.Lines++
		count.Bytes += int64(len(line.Value))
		count.Longest = max(count.Longest, int64(len(line.Value)))
	}
}
