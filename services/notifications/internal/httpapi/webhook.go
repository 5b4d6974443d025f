package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/webhook"
)

// ListWebhooks implements GET /webhooks.
func (s *Server) ListWebhooks(ctx context.Context, _ ListWebhooksRequestObject) (ListWebhooksResponseObject, error) {
	hooks, err := s.Webhooks.List(ctx, httpserve.ActorOf(ctx))
	return ListWebhooks200JSONResponse{Success: true, Data: httpserve.List(hooks, toWebhook)}, err
}

// CreateWebhook implements POST /webhooks.
func (s *Server) CreateWebhook(
	ctx context.Context, req CreateWebhookRequestObject,
) (CreateWebhookResponseObject, error) {
	if !req.Body.Format.Valid() {
		return nil, webhook.ErrMalformed.WithField("format", "unknown", "is neither json nor discord")
	}
	filter, err := toFilter(req.Body.Filter)
	if err != nil {
		return nil, err
	}
	hook, secret, err := s.Webhooks.Create(ctx, httpserve.By(ctx), webhook.Webhook{
		URL: req.Body.Url, Format: webhook.Format(req.Body.Format), Description: httpserve.OrZero(req.Body.Description),
		Filter: filter,
	})
	return CreateWebhook201JSONResponse{Success: true, Data: withSecret(hook, secret)}, err
}

// GetWebhook implements GET /webhooks/{id}.
func (s *Server) GetWebhook(ctx context.Context, req GetWebhookRequestObject) (GetWebhookResponseObject, error) {
	hook, err := s.Webhooks.Get(ctx, httpserve.ActorOf(ctx), req.Id)
	return GetWebhook200JSONResponse{Success: true, Data: toWebhook(hook)}, err
}

// UpdateWebhook implements PATCH /webhooks/{id}.
func (s *Server) UpdateWebhook(
	ctx context.Context, req UpdateWebhookRequestObject,
) (UpdateWebhookResponseObject, error) {
	change := webhook.Change{URL: req.Body.Url, Description: req.Body.Description, Enabled: req.Body.Enabled}
	if req.Body.Filter != nil {
		filter, err := toFilter(*req.Body.Filter)
		if err != nil {
			return nil, err
		}
		change.Filter = &filter
	}
	hook, err := s.Webhooks.Update(ctx, httpserve.By(ctx), req.Id, change)
	return UpdateWebhook200JSONResponse{Success: true, Data: toWebhook(hook)}, err
}

// DeleteWebhook implements DELETE /webhooks/{id}.
func (s *Server) DeleteWebhook(
	ctx context.Context, req DeleteWebhookRequestObject,
) (DeleteWebhookResponseObject, error) {
	return DeleteWebhook204Response{}, s.Webhooks.Delete(ctx, httpserve.By(ctx), req.Id)
}

// RotateWebhookSecret implements POST /webhooks/{id}/rotate.
func (s *Server) RotateWebhookSecret(
	ctx context.Context, req RotateWebhookSecretRequestObject,
) (RotateWebhookSecretResponseObject, error) {
	hook, secret, err := s.Webhooks.Rotate(ctx, httpserve.By(ctx), req.Id)
	return RotateWebhookSecret200JSONResponse{Success: true, Data: withSecret(hook, secret)}, err
}

// toFilter returns the filter that a request names, or webhook.ErrMalformed.
func toFilter(wire WebhookFilterChoice) (publicevent.Filter, error) {
	names := make([]string, len(wire.Types))
	for i, name := range wire.Types {
		if !name.Valid() { // live events have more types
			return publicevent.Filter{}, webhook.ErrMalformed.WithField("filter", "type_unknown",
				"may have the types record, worldRecord, map and player")
		}
		names[i] = string(name)
	}
	types, err := publicevent.ParseTypes(names...)
	if err != nil {
		return publicevent.Filter{}, err
	}
	if wire.Mode != nil && !wire.Mode.Valid() {
		return publicevent.Filter{}, webhook.ErrMalformed.WithField("filter", "mode_unknown", "has an unknown game mode")
	}
	return publicevent.Filter{
		Types: types, MapID: httpserve.OrZero(wire.Map), PlayerID: httpserve.OrZero(wire.Player),
		Mode: string(httpserve.OrZero(wire.Mode)),
	}, nil
}

func withSecret(hook webhook.Webhook, secret webhook.Secret) WebhookWithSecret {
	wire := WebhookWithSecret{Webhook: toWebhook(hook)}
	if secret != nil {
		wire.Secret = new(secret.Text())
	}
	return wire
}

func toWebhook(hook webhook.Webhook) Webhook {
	wire := Webhook{
		UnderscoreId: hook.ID, Url: hook.URL, Format: WebhookFormat(hook.Format), Description: hook.Description,
		Filter: WebhookFilter{
			Types: httpserve.List(hook.Filter.Types.Names(), func(name string) WebhookType { return WebhookType(name) }),
			Mode:  httpserve.OrNull(GameMode(hook.Filter.Mode)),
		},
		Enabled: hook.Enabled, OffReason: httpserve.OrNull(WebhookOffReason(hook.OffReason)), Failures: hook.Failures,
		CreatedAt: httpserve.TimeText(hook.CreatedAt), PreviousSecretUntil: httpserve.TimeOrNull(hook.PreviousSecretUntil),
	}
	if hook.Map != nil {
		wire.Filter.Map = new(mapRef(*hook.Map))
	}
	if hook.Player != nil {
		wire.Filter.Player = new(playerRef(*hook.Player))
	}
	if hook.LastDelivery != nil {
		wire.LastDelivery = new(toDelivery(*hook.LastDelivery))
	}
	return wire
}
