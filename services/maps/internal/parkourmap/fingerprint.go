package parkourmap

import (
	"context"
	"errors"
)

// DueFingerprint is a map whose fingerprint has to be computed again.
type DueFingerprint struct{ ID, Fingerprint, Encoded string }

// FingerprintStore stores fingerprints.
type FingerprintStore interface {
	// DueFingerprints returns at most limit maps whose fingerprints have to be computed again.
	DueFingerprints(ctx context.Context, limit int) ([]DueFingerprint, error)
	// SetFingerprint stores what Versions.SetFingerprint returns. The map is not due any more.
	SetFingerprint(ctx context.Context, id, fingerprint string) error
	// SetFingerprintsDue makes all maps due.
	SetFingerprintsDue(ctx context.Context) error
}

// Fingerprinter computes fingerprints that an earlier release has computed in another way.
type Fingerprinter struct{ Maps FingerprintStore }

const fingerprintBatch = 100

// ComputeDue computes the fingerprints that are due. A map that cannot be decoded keeps the one that it has.
func (f *Fingerprinter) ComputeDue(ctx context.Context) error {
	for {
		due, err := f.Maps.DueFingerprints(ctx, fingerprintBatch)
		if err != nil || len(due) == 0 {
			return err
		}
		for _, m := range due {
			fingerprint, err := computeFingerprint(ctx, m)
			if err != nil {
				return err
			}
			if err := f.Maps.SetFingerprint(ctx, m.ID, fingerprint); err != nil {
				return err
			}
		}
	}
}

// ComputeAll computes all fingerprints.
func (f *Fingerprinter) ComputeAll(ctx context.Context) error {
	if err := f.Maps.SetFingerprintsDue(ctx); err != nil {
		return err
	}
	return f.ComputeDue(ctx)
}

func computeFingerprint(ctx context.Context, due DueFingerprint) (string, error) {
	m, err := decode(ctx, due.Encoded)
	var undecodable *UndrawableError
	switch {
	case errors.As(err, &undecodable):
		return due.Fingerprint, nil
	case err != nil:
		return "", err
	}
	return m.PhysicsFingerprint().String(), nil
}
