package personaltoken

import (
	"time"

	"capzone.dev/platform/problem"
)

var (
	// errTokensUnavailable is returned while auth cannot be asked.
	errTokensUnavailable = problem.Unavailable("tokens_unavailable",
		"Personal tokens cannot be checked at the moment. Please try again shortly.").WithRetryAfter(2 * time.Second)

	// errTokenInQuery refuses a request with a personal token in its address, which proxies log and browsers keep.
	errTokenInQuery = problem.InvalidArgument("token_in_query",
		"A personal token was in the address, where others can read it. "+
			"Please revoke it, create a new one, and send that in the header Authorization.")
)
