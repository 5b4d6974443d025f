// Package httpget gets what a server answers with 200: its health, its metrics, a page.
package httpget

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// maxQuoted bounds what an error quotes of an answer, in bytes.
const maxQuoted = 500

// Body returns the body of a GET's answer. An answer other than 200 is an error, which names the status and
// quotes the beginning of the body. Redirects are followed. Only ctx bounds the time, and nothing the size.
func Body(ctx context.Context, address string) (string, error) {
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
		return "", fmt.Errorf("GET %s: %s: %s", address, resp.Status, body[:min(len(body), maxQuoted)])
	}
	return string(body), nil
}
