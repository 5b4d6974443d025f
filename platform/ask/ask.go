// Package ask asks a server for an answer of 200: whether it is well, what it
// measures, what it shows.
package ask

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// saidBytes bounds what an error repeats of an answer.
const saidBytes = 500

// OK returns the body that the address answers a GET with, which is to be an
// answer of 200: of any other the error names the status, and how it begins.
// Redirects are followed. Only ctx bounds the time.
func OK(ctx context.Context, address string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", fmt.Errorf("GET %s: %w", address, err)
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("GET %s: %s: %s", address, resp.Status, body[:min(len(body), saidBytes)])
	}
	return string(body), nil
}
