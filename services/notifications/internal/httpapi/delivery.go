package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/notifications/internal/webhook"
)

// TestWebhook implements POST /webhooks/{id}/test.
func (s *Server) TestWebhook(ctx context.Context, req TestWebhookRequestObject) (TestWebhookResponseObject, error) {
	delivery, err := s.Webhooks.Test(ctx, httpserve.By(ctx), req.Id)
	return TestWebhook202JSONResponse{Success: true, Data: toDelivery(delivery)}, err
}

// ListWebhookDeliveries implements GET /webhooks/{id}/deliveries.
func (s *Server) ListWebhookDeliveries(
	ctx context.Context, req ListWebhookDeliveriesRequestObject,
) (ListWebhookDeliveriesResponseObject, error) {
	deliveries, err := s.Webhooks.Deliveries(ctx, httpserve.ActorOf(ctx), req.Id)
	return ListWebhookDeliveries200JSONResponse{Success: true, Data: httpserve.List(deliveries, toDelivery)}, err
}

// SendWebhookDelivery implements POST /webhooks/{id}/deliveries/{delivery}/send.
func (s *Server) SendWebhookDelivery(
	ctx context.Context, req SendWebhookDeliveryRequestObject,
) (SendWebhookDeliveryResponseObject, error) {
	delivery, err := s.Webhooks.SendAgain(ctx, httpserve.By(ctx), req.Id, req.Delivery)
	return SendWebhookDelivery202JSONResponse{Success: true, Data: toDelivery(delivery)}, err
}

func toDelivery(d webhook.Delivery) WebhookDelivery {
	return WebhookDelivery{
		UnderscoreId: d.ID, Type: d.Type, State: WebhookState(d.State), Tries: d.Tries,
		Status: httpserve.OrNull(d.Status), Failure: httpserve.OrNull(WebhookFailure(d.Failure)),
		CreatedAt: httpserve.TimeText(d.CreatedAt), LastTryAt: httpserve.TimeOrNull(d.LastTryAt),
		NextTryAt: httpserve.TimeOrNull(d.NextTryAt),
	}
}
