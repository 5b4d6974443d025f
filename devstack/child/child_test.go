package child_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"capzone.dev/devstack/child"
)

func TestStart_reports_the_output_of_a_server_that_ends(t *testing.T) {
	t.Parallel()
	_, err := child.Start(t.Context(), child.Spec{
		Name: "broken", Program: "/bin/sh", Arguments: []string{"-c", "echo out of order; exit 1"},
		Ready: func(context.Context) error { return errors.New("not ready") },
	})
	if err == nil || !strings.Contains(err.Error(), "broken ended at its start (exit status 1): out of order") {
		t.Errorf("error %v", err)
	}
}
