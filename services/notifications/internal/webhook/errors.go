package webhook

import "capzone.dev/platform/problem"

// Problems of webhooks.
var (
	ErrUnknown    = problem.NotFound("webhook_unknown", "There is no such webhook.")
	ErrFull       = problem.Unprocessable("webhooks_full", "You have 5 webhooks already. Delete one of them first.")
	ErrMalformed  = problem.InvalidArgument("webhook_malformed", "The webhook cannot be created like this.")
	ErrURLRefused = problem.Unprocessable("webhook_url_refused", "Nothing can be sent to this address.")
	ErrOff        = problem.Unprocessable("webhook_off", "This webhook is switched off. Switch it on first.")
	ErrNoSecret   = problem.Unprocessable("webhook_without_secret", "A webhook for Discord has no secret.")
	ErrTooOften   = problem.RateLimited("webhook_too_often",
		"Ten tests, sends and changes of addresses a minute are possible. Please wait a moment.")
	ErrDeliveryUnknown = problem.NotFound("delivery_unknown", "There is no such delivery.")
)
