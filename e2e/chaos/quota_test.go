package chaos

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"

	"github.com/minio/minio-go/v7/pkg/signer"

	"capzone.dev/e2e/outside"
)

// overQuota sets every bucket's quota so low that not another byte is taken, which only MinIO knows how to.
func overQuota(ctx context.Context) (repair func(context.Context) error, err error) {
	return func(ctx context.Context) error { return setQuotas(ctx, 0) }, setQuotas(ctx, 1)
}

// setQuotas bounds the bytes of each bucket; 0 is without a bound.
func setQuotas(ctx context.Context, most int) error {
	for service := range named {
		body := fmt.Appendf(nil, `{"size": %d, "quotatype": "hard"}`, most)
		address := parts.Settings()["S3_ENDPOINT"] + "/minio/admin/v3/set-bucket-quota?bucket=capzone-" + service
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, address, bytes.NewReader(body))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		req.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum[:]))
		resp, err := http.DefaultClient.Do(signer.SignV4(*req, outside.StorageKey, outside.StorageKey, "", "us-east-1"))
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("quota of %s: %s", service, resp.Status)
		}
	}
	return nil
}
