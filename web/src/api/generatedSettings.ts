import { baseApi as api } from "./baseQuery";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getInboxSettings: build.query<
      GetInboxSettingsApiResponse,
      GetInboxSettingsApiArg
    >({
      query: () => ({ url: `/inbox/settings` }),
    }),
    updateInboxSettings: build.mutation<
      UpdateInboxSettingsApiResponse,
      UpdateInboxSettingsApiArg
    >({
      query: (queryArg) => ({
        url: `/inbox/settings`,
        method: "PUT",
        body: queryArg.inboxSettingsUpdate,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedSettingsApi };
export type GetInboxSettingsApiResponse =
  /** status 200 The settings, in the order in which a page lists them. */ InboxSettingsAnswer;
export type GetInboxSettingsApiArg = void;
export type UpdateInboxSettingsApiResponse =
  /** status 200 The settings as changed. */ InboxSettingsAnswer;
export type UpdateInboxSettingsApiArg = {
  inboxSettingsUpdate: InboxSettingsUpdate;
};
export type NotificationKind =
  | "record_lost"
  | "record_regained"
  | "passed"
  | "record_on_my_map"
  | "followed_record"
  | "followed_map_record"
  | "map_new_version"
  | "report_decided"
  | "moderated"
  | "appeal_answered";
export type Delivery = "off" | "inbox" | "browser";
export type InboxSetting = {
  kind: NotificationKind;
  delivery: Delivery;
};
export type InboxSettingsAnswer = {
  success: true;
  data: InboxSetting[];
};
export type FieldError = {
  field: string;
  message: string;
};
export type Failure = {
  success: false;
  /** Stable, for programs. */
  code: string;
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
export type InboxSettingsUpdate = {
  settings: InboxSetting[];
};
