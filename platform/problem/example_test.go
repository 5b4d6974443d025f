package problem_test

import (
	"errors"
	"fmt"

	"capzone.dev/platform/problem"
)

var errMapExists = problem.Conflict("map_exists", "This map was submitted before.")

func Example() {
	// A use case adds what it knows to a copy of the declared problem.
	err := fmt.Errorf("submit: %w", errMapExists.WithData("_id", "m1").Wrap(errors.New("unique constraint")))

	// The transport translates it, and never shows the cause.
	p := problem.From(err)
	fmt.Println(p.Kind.Status(), p.Code, p.Message, p.Data["_id"])
	fmt.Println(errors.Is(err, errMapExists))

	// Any other error is a fault of the server.
	fmt.Println(problem.From(errors.New("password=secret")).Code)
	// Output:
	// 409 map_exists This map was submitted before. m1
	// true
	// internal
}
