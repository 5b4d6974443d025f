package service

import (
	"context"
	"fmt"
	"io"
)

// CheckEnv returns the command that reads the configuration C from the environment,
// calls its method Check if it has one, and prints every mistake. It opens no connection.
func CheckEnv[C any](out io.Writer) Command {
	return Command{
		Name: "check-env", Summary: "read the environment and say what is wrong with it",
		Run: WithoutArguments(func(context.Context) error {
			var cfg C
			err := ReadEnv(&cfg)
			if checked, ok := any(cfg).(interface{ Check() error }); ok && err == nil {
				err = checked.Check()
			}
			if err == nil {
				_, err = fmt.Fprintln(out, "The environment is complete.")
			}
			return err
		}),
	}
}
