import { baseApi as api } from "../baseQuery";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listTokens: build.query<ListTokensApiResponse, ListTokensApiArg>({
      query: () => ({ url: `/tokens` }),
    }),
    createToken: build.mutation<CreateTokenApiResponse, CreateTokenApiArg>({
      query: (queryArg) => ({
        url: `/tokens`,
        method: "POST",
        body: queryArg.newToken,
      }),
    }),
    revokeToken: build.mutation<RevokeTokenApiResponse, RevokeTokenApiArg>({
      query: (queryArg) => ({
        url: `/tokens/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    getOwnAccount: build.query<GetOwnAccountApiResponse, GetOwnAccountApiArg>({
      query: () => ({ url: `/me/account` }),
    }),
    updateOwnAccount: build.mutation<
      UpdateOwnAccountApiResponse,
      UpdateOwnAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/me/account`,
        method: "PATCH",
        body: queryArg.ownAccountUpdate,
      }),
    }),
    getOwnDeletion: build.query<
      GetOwnDeletionApiResponse,
      GetOwnDeletionApiArg
    >({
      query: () => ({ url: `/me/deletion` }),
    }),
    scheduleOwnDeletion: build.mutation<
      ScheduleOwnDeletionApiResponse,
      ScheduleOwnDeletionApiArg
    >({
      query: (queryArg) => ({
        url: `/me/deletion`,
        method: "POST",
        body: queryArg.ownDeletionRequest,
      }),
    }),
    cancelOwnDeletion: build.mutation<
      CancelOwnDeletionApiResponse,
      CancelOwnDeletionApiArg
    >({
      query: () => ({ url: `/me/deletion`, method: "DELETE" }),
    }),
    listWebhooks: build.query<ListWebhooksApiResponse, ListWebhooksApiArg>({
      query: () => ({ url: `/webhooks` }),
    }),
    createWebhook: build.mutation<
      CreateWebhookApiResponse,
      CreateWebhookApiArg
    >({
      query: (queryArg) => ({
        url: `/webhooks`,
        method: "POST",
        body: queryArg.webhookCreation,
      }),
    }),
    getWebhook: build.query<GetWebhookApiResponse, GetWebhookApiArg>({
      query: (queryArg) => ({
        url: `/webhooks/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateWebhook: build.mutation<
      UpdateWebhookApiResponse,
      UpdateWebhookApiArg
    >({
      query: (queryArg) => ({
        url: `/webhooks/${encodeURIComponent(String(queryArg.id))}`,
        method: "PATCH",
        body: queryArg.webhookUpdate,
      }),
    }),
    deleteWebhook: build.mutation<
      DeleteWebhookApiResponse,
      DeleteWebhookApiArg
    >({
      query: (queryArg) => ({
        url: `/webhooks/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    testWebhook: build.mutation<TestWebhookApiResponse, TestWebhookApiArg>({
      query: (queryArg) => ({
        url: `/webhooks/${encodeURIComponent(String(queryArg.id))}/test`,
        method: "POST",
      }),
    }),
    rotateWebhookSecret: build.mutation<
      RotateWebhookSecretApiResponse,
      RotateWebhookSecretApiArg
    >({
      query: (queryArg) => ({
        url: `/webhooks/${encodeURIComponent(String(queryArg.id))}/rotate`,
        method: "POST",
      }),
    }),
    listWebhookDeliveries: build.query<
      ListWebhookDeliveriesApiResponse,
      ListWebhookDeliveriesApiArg
    >({
      query: (queryArg) => ({
        url: `/webhooks/${encodeURIComponent(String(queryArg.id))}/deliveries`,
      }),
    }),
    sendWebhookDelivery: build.mutation<
      SendWebhookDeliveryApiResponse,
      SendWebhookDeliveryApiArg
    >({
      query: (queryArg) => ({
        url: `/webhooks/${encodeURIComponent(String(queryArg.id))}/deliveries/${encodeURIComponent(String(queryArg.delivery))}/send`,
        method: "POST",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedSettingsApi };
export type ListTokensApiResponse = /** status 200 The tokens. */ TokensAnswer;
export type ListTokensApiArg = void;
export type CreateTokenApiResponse =
  /** status 201 The token. */ CreatedTokenAnswer;
export type CreateTokenApiArg = {
  newToken: NewToken;
};
export type RevokeTokenApiResponse = unknown;
export type RevokeTokenApiArg = {
  /** The `_id` of the token, never the token itself. */
  id: string;
};
export type GetOwnAccountApiResponse =
  /** status 200 The account. */ OwnAccountAnswer;
export type GetOwnAccountApiArg = void;
export type UpdateOwnAccountApiResponse =
  /** status 200 The account as changed. */ OwnAccountAnswer;
export type UpdateOwnAccountApiArg = {
  ownAccountUpdate: OwnAccountUpdate;
};
export type GetOwnDeletionApiResponse =
  /** status 200 The deletion. */ OwnDeletionAnswer;
export type GetOwnDeletionApiArg = void;
export type ScheduleOwnDeletionApiResponse =
  | /** status 200 The deletion that was asked for before. */ OwnDeletionAnswer
  | /** status 201 The deletion. */ OwnDeletionAnswer;
export type ScheduleOwnDeletionApiArg = {
  ownDeletionRequest: OwnDeletionRequest;
};
export type CancelOwnDeletionApiResponse = unknown;
export type CancelOwnDeletionApiArg = void;
export type ListWebhooksApiResponse =
  /** status 200 The webhooks. */ WebhooksAnswer;
export type ListWebhooksApiArg = void;
export type CreateWebhookApiResponse =
  /** status 201 The webhook with its secret. */ WebhookSecretAnswer;
export type CreateWebhookApiArg = {
  webhookCreation: WebhookCreation;
};
export type GetWebhookApiResponse =
  /** status 200 The webhook. */ WebhookAnswer;
export type GetWebhookApiArg = {
  /** The webhook's `_id`. */
  id: string;
};
export type UpdateWebhookApiResponse =
  /** status 200 The webhook as changed. */ WebhookAnswer;
export type UpdateWebhookApiArg = {
  /** The webhook's `_id`. */
  id: string;
  webhookUpdate: WebhookUpdate;
};
export type DeleteWebhookApiResponse = unknown;
export type DeleteWebhookApiArg = {
  /** The webhook's `_id`. */
  id: string;
};
export type TestWebhookApiResponse =
  /** status 202 The delivery, which waits. */ WebhookDeliveryAnswer;
export type TestWebhookApiArg = {
  /** The webhook's `_id`. */
  id: string;
};
export type RotateWebhookSecretApiResponse =
  /** status 200 The webhook with its new secret, which is not shown again. */ WebhookSecretAnswer;
export type RotateWebhookSecretApiArg = {
  /** The webhook's `_id`. */
  id: string;
};
export type ListWebhookDeliveriesApiResponse =
  /** status 200 The deliveries. */ WebhookDeliveriesAnswer;
export type ListWebhookDeliveriesApiArg = {
  /** The webhook's `_id`. */
  id: string;
};
export type SendWebhookDeliveryApiResponse =
  /** status 202 The delivery, which waits. */ WebhookDeliveryAnswer;
export type SendWebhookDeliveryApiArg = {
  /** The webhook's `_id`. */
  id: string;
  /** The delivery's `_id`. */
  delivery: string;
};
export type TokenScope =
  "records:submit" | "inbox:read" | "follows" | "webhooks";
export type PersonalToken = {
  /** A UUID. */
  _id: string;
  /** As the player has called it. */
  name: string;
  /** In the order of the scopes' list. */
  scopes: TokenScope[];
  createdAt: string;
  expiresAt: string;
  /** The last day (UTC) on which it was used, as YYYY-MM-DD. Null where it never was. */
  lastUsedOn: string | null;
};
export type TokensAnswer = {
  success: true;
  data: PersonalToken[];
};
export type FieldError = {
  field: string;
  /** Stable, for programs: what is wrong with the field. */
  code: string;
  message: string;
};
export type Failure = {
  success: false;
  /** Stable, for programs. */
  code: string;
  /** Names the sentence, where a code has several. */
  reason?: string;
  /** A sentence for the player. */
  message: string;
  /** Only where fields are at fault. */
  errors?: FieldError[];
  /** What a program needs to go on: the existing thing's _id where it exists already. */
  data?: {
    [key: string]: any;
  };
  /** Names the request in the server's log. */
  requestId: string;
};
export type CreatedToken = {
  /** `cz_` and 43 characters. It is shown here and never again. */
  token: string;
  personalToken: PersonalToken;
};
export type CreatedTokenAnswer = {
  success: true;
  data: CreatedToken;
};
export type NewToken = {
  /** What the player calls it: visible characters, without blanks at the ends. */
  name: string;
  /** At least one, each once. */
  scopes: TokenScope[];
  expiresInDays: number;
};
export type Language = "en" | "es" | "de" | "pl";
export type OwnAccount = {
  /** Null where none was chosen. */
  language: Language | null;
};
export type OwnAccountAnswer = {
  success: true;
  data: OwnAccount;
};
export type OwnAccountUpdate = {
  language: Language;
};
export type OwnDeletion = {
  /** When the account is deleted. Null where that is not asked for. */
  scheduledFor: string | null;
  /** When that was asked for. */
  requestedAt: string | null;
};
export type OwnDeletionAnswer = {
  success: true;
  data: OwnDeletion;
};
export type OwnDeletionRequest = {
  /** The caller's own name. */
  name: string;
};
export type WebhookFormat = "json" | "discord";
export type WebhookType = "record" | "worldRecord" | "map" | "player";
export type MapRef = {
  /** A UUID. */
  _id: string;
  name: string;
};
export type PlayerRef = {
  /** A UUID. */
  _id: string;
  name: string;
  /** Path of the avatar image, null when there is none. */
  skinImageUrl: string | null;
  /** Base colour of the game skin as #rrggbb, null when unknown. */
  skinColor: string | null;
};
export type GameMode =
  "Classic" | "Grapple" | "VTOL" | "Arrows" | "Death Arrows" | "Simple";
export type WebhookFilter = {
  types: WebhookType[];
  map: MapRef | null;
  player: PlayerRef | null;
  mode: GameMode | null;
};
export type WebhookOffReason = "owner" | "gone" | "failures";
export type WebhookState = "waiting" | "delivered" | "failed";
export type WebhookFailure =
  "status" | "redirect" | "unreachable" | "off" | "banned" | "dropped";
export type WebhookDelivery = {
  /** The `webhook-id` of each attempt, a UUID. */
  _id: string;
  /** The type of the event, as `GET /events` names it, or `test`. */
  type: string;
  state: WebhookState;
  /** How often it was tried. */
  tries: number;
  /** The receiver's last status, null where it gave none. */
  status: number | null;
  failure: WebhookFailure | null;
  createdAt: string;
  lastTryAt: string | null;
  /** When it is tried next, null where it is not waiting. */
  nextTryAt: string | null;
};
export type Webhook = {
  /** A UUID. */
  _id: string;
  url: string;
  format: WebhookFormat;
  description: string;
  filter: WebhookFilter;
  enabled: boolean;
  /** Why it is off, null while it is enabled. */
  offReason: WebhookOffReason | null;
  /** How many attempts have failed in a row, 0 after a success. */
  failures: number;
  /** The delivery that was tried last, null before the first. */
  lastDelivery: WebhookDelivery | null;
  /** Until when events are signed with the secret before, too, null for no longer. */
  previousSecretUntil: string | null;
  createdAt: string;
};
export type WebhooksAnswer = {
  success: true;
  data: Webhook[];
};
export type WebhookWithSecret = {
  webhook: Webhook;
  /** `whsec_…`, null for the format `discord`. */
  secret: string | null;
};
export type WebhookSecretAnswer = {
  success: true;
  data: WebhookWithSecret;
};
export type WebhookFilterChoice = {
  types: WebhookType[];
  /** The `_id` of a version of a map. */
  map?: string | null;
  /** The `_id` of a player. */
  player?: string | null;
  /** It selects new records alone. */
  mode?: GameMode | null;
};
export type WebhookCreation = {
  /** `https://…`, on port 443 or from 1024, of an address on the public Internet. It is checked again each time that it is connected to. */
  url: string;
  format: WebhookFormat;
  /** What the caller calls it. */
  description?: string;
  filter: WebhookFilterChoice;
};
export type WebhookAnswer = {
  success: true;
  data: Webhook;
};
export type WebhookUpdate = {
  url?: string;
  description?: string;
  filter?: WebhookFilterChoice;
  enabled?: boolean;
};
export type WebhookDeliveryAnswer = {
  success: true;
  data: WebhookDelivery;
};
export type WebhookDeliveriesAnswer = {
  success: true;
  data: WebhookDelivery[];
};
export const {
  useListTokensQuery,
  useCreateTokenMutation,
  useRevokeTokenMutation,
  useGetOwnAccountQuery,
  useUpdateOwnAccountMutation,
  useGetOwnDeletionQuery,
  useScheduleOwnDeletionMutation,
  useCancelOwnDeletionMutation,
  useListWebhooksQuery,
  useCreateWebhookMutation,
  useGetWebhookQuery,
  useUpdateWebhookMutation,
  useDeleteWebhookMutation,
  useTestWebhookMutation,
  useRotateWebhookSecretMutation,
  useListWebhookDeliveriesQuery,
  useSendWebhookDeliveryMutation,
} = injectedRtkApi;
