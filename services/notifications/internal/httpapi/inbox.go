package httpapi

import (
	"context"
	"strconv"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/notifications/internal/notification"
)

// defaultLimit is the number of groups on a page where a request names none.
const defaultLimit = 50

// ListInbox implements GET /inbox.
func (s *Server) ListInbox(ctx context.Context, req ListInboxRequestObject) (ListInboxResponseObject, error) {
	_, limit, err := httpserve.PageQuery(nil, req.Params.Limit, defaultLimit)
	if err != nil {
		return nil, err
	}
	page := notification.Page{Unread: httpserve.OrZero(req.Params.Unread), Limit: limit}
	if kind := req.Params.Kind; kind != nil {
		if !kind.Valid() {
			return nil, httpserve.ErrMalformed.WithField("kind", "unknown", "is no kind of notification")
		}
		page.Kind = notification.Kind(*kind)
	}
	if before := req.Params.Before; before != nil {
		if page.Before, err = notification.ParseNumber(*before); err != nil {
			return nil, httpserve.ErrMalformed.WithField("before", "malformed", "is no _id of the inbox")
		}
	}
	groups, more, err := s.Inbox.Groups(ctx, httpserve.ActorOf(ctx), page)
	if err != nil {
		return nil, err
	}
	data, pagination := httpserve.List(groups, toGroup), InboxPagination{Limit: limit}
	if more {
		pagination.Next = &data[len(data)-1].UnderscoreId
	}
	return ListInbox200JSONResponse{Success: true, Data: data, Pagination: pagination}, nil
}

func toGroup(g notification.Group) InboxGroup {
	wire := InboxGroup{
		UnderscoreId: strconv.FormatInt(g.Newest, 10), Kind: NotificationKind(g.Kind),
		RecordId: httpserve.OrNull(g.RecordID), FinishTime: httpserve.OrNull(g.FinishTime),
		OwnFinishTime: httpserve.OrNull(g.OwnFinishTime),
		DecisionId:    httpserve.OrNull(g.DecisionID), Decision: httpserve.OrNull(DecisionKind(g.Decision)),
		PublicReason: httpserve.OrNull(PublicReason(g.PublicReason)), Appeal: httpserve.OrNull(InboxAppeal(g.Appeal)),
		PointsLost: httpserve.OrNull(float64(g.PointsLost) / 10),
		From:       httpserve.OrNull(g.From), To: httpserve.OrNull(g.To),
		Count: g.Count, Actors: httpserve.List(g.Actors, playerRef), ActorCount: g.ActorCount,
		At: httpserve.TimeText(g.At), Read: g.Read, RemovedSince: g.RemovedSince,
	}
	if g.Map != nil {
		wire.Map = new(mapRef(*g.Map))
	}
	if g.Player != nil {
		wire.Player = new(playerRef(*g.Player))
	}
	if link := g.Link(); link != (notification.Link{}) {
		wire.Link = &InboxLink{Kind: InboxLinkKind(link.Kind), Id: httpserve.OrNull(link.ID)}
	}
	return wire
}

// CountInbox implements GET /inbox/count.
func (s *Server) CountInbox(ctx context.Context, _ CountInboxRequestObject) (CountInboxResponseObject, error) {
	unread, err := s.Inbox.CountUnread(ctx, httpserve.ActorOf(ctx))
	return CountInbox200JSONResponse{Success: true, Data: InboxCount{Unread: unread}}, err
}

// ReadInbox implements POST /inbox/read.
func (s *Server) ReadInbox(ctx context.Context, req ReadInboxRequestObject) (ReadInboxResponseObject, error) {
	number, groupOnly, err := notification.ParseRead(httpserve.OrZero(req.Body.Through), httpserve.OrZero(req.Body.Group))
	if err != nil {
		return nil, err
	}
	unread, err := s.Inbox.Read(ctx, httpserve.By(ctx), number, groupOnly)
	return ReadInbox200JSONResponse{Success: true, Data: InboxCount{Unread: unread}}, err
}

// GetInboxSettings implements GET /inbox/settings.
func (s *Server) GetInboxSettings(
	ctx context.Context, _ GetInboxSettingsRequestObject,
) (GetInboxSettingsResponseObject, error) {
	settings, err := s.Inbox.Settings(ctx, httpserve.ActorOf(ctx))
	return GetInboxSettings200JSONResponse{Success: true, Data: httpserve.List(settings, toSetting)}, err
}

// UpdateInboxSettings implements PUT /inbox/settings.
func (s *Server) UpdateInboxSettings(
	ctx context.Context, req UpdateInboxSettingsRequestObject,
) (UpdateInboxSettingsResponseObject, error) {
	chosen := httpserve.List(req.Body.Settings, func(s InboxSetting) notification.Setting {
		return notification.Setting{Kind: notification.Kind(s.Kind), Delivery: notification.Delivery(s.Delivery)}
	})
	settings, err := s.Inbox.UpdateSettings(ctx, httpserve.By(ctx), chosen)
	return UpdateInboxSettings200JSONResponse{Success: true, Data: httpserve.List(settings, toSetting)}, err
}

func toSetting(s notification.Setting) InboxSetting {
	return InboxSetting{Kind: NotificationKind(s.Kind), Delivery: Delivery(s.Delivery)}
}
