import { baseApi as api } from "./baseQuery";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    requestRoomLink: build.query<
      RequestRoomLinkApiResponse,
      RequestRoomLinkApiArg
    >({
      query: () => ({ url: `/auth/request-room-link` }),
    }),
    getLoginStatus: build.query<
      GetLoginStatusApiResponse,
      GetLoginStatusApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/status`,
        params: {
          sessionId: queryArg.sessionId,
        },
      }),
    }),
    verifyCode: build.mutation<VerifyCodeApiResponse, VerifyCodeApiArg>({
      query: (queryArg) => ({
        url: `/auth/verify-code`,
        method: "POST",
        body: queryArg.codeEntry,
      }),
    }),
    refreshToken: build.query<RefreshTokenApiResponse, RefreshTokenApiArg>({
      query: () => ({ url: `/auth/refresh-token` }),
    }),
    logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
      query: () => ({ url: `/auth/logout`, method: "POST" }),
    }),
    searchMaps: build.query<SearchMapsApiResponse, SearchMapsApiArg>({
      query: (queryArg) => ({
        url: `/maps/search`,
        params: {
          name: queryArg.name,
          author: queryArg.author,
          authorId: queryArg.authorId,
          gameMode: queryArg.gameMode,
          tags: queryArg.tags,
          progress: queryArg.progress,
          sortBy: queryArg.sortBy,
          sortDir: queryArg.sortDir,
          page: queryArg.page,
          after: queryArg.after,
          limit: queryArg.limit,
        },
      }),
    }),
    popularTags: build.query<PopularTagsApiResponse, PopularTagsApiArg>({
      query: () => ({ url: `/maps/popular-tags` }),
    }),
    getMap: build.query<GetMapApiResponse, GetMapApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    getMapData: build.query<GetMapDataApiResponse, GetMapDataApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}/data`,
      }),
    }),
    listMapVersions: build.query<
      ListMapVersionsApiResponse,
      ListMapVersionsApiArg
    >({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}/versions`,
      }),
    }),
    listRecords: build.query<ListRecordsApiResponse, ListRecordsApiArg>({
      query: (queryArg) => ({
        url: `/records`,
        params: {
          map: queryArg.map,
          player: queryArg.player,
          around: queryArg.around,
          following: queryArg.following,
          sortBy: queryArg.sortBy,
          sortDir: queryArg.sortDir,
          offset: queryArg.offset,
          after: queryArg.after,
          limit: queryArg.limit,
        },
      }),
    }),
    getRecord: build.query<GetRecordApiResponse, GetRecordApiArg>({
      query: (queryArg) => ({
        url: `/records/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    getRecordVerification: build.query<
      GetRecordVerificationApiResponse,
      GetRecordVerificationApiArg
    >({
      query: (queryArg) => ({
        url: `/records/${encodeURIComponent(String(queryArg.id))}/verification`,
      }),
    }),
    listWorldRecords: build.query<
      ListWorldRecordsApiResponse,
      ListWorldRecordsApiArg
    >({
      query: (queryArg) => ({
        url: `/records/world-records`,
        params: {
          limit: queryArg.limit,
        },
      }),
    }),
    getMapHistory: build.query<GetMapHistoryApiResponse, GetMapHistoryApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}/history`,
      }),
    }),
    getProgress: build.query<GetProgressApiResponse, GetProgressApiArg>({
      query: (queryArg) => ({
        url: `/records/progress`,
        params: {
          maps: queryArg.maps,
        },
      }),
    }),
    getGoals: build.query<GetGoalsApiResponse, GetGoalsApiArg>({
      query: () => ({ url: `/records/goals` }),
    }),
    putGoalAside: build.mutation<PutGoalAsideApiResponse, PutGoalAsideApiArg>({
      query: (queryArg) => ({
        url: `/records/goals/${encodeURIComponent(String(queryArg.map))}/put-aside`,
        method: "POST",
      }),
    }),
    takeUpGoal: build.mutation<TakeUpGoalApiResponse, TakeUpGoalApiArg>({
      query: (queryArg) => ({
        url: `/records/goals/${encodeURIComponent(String(queryArg.map))}/put-aside`,
        method: "DELETE",
      }),
    }),
    listStarters: build.query<ListStartersApiResponse, ListStartersApiArg>({
      query: () => ({ url: `/records/starters` }),
    }),
    comparePlayers: build.query<
      ComparePlayersApiResponse,
      ComparePlayersApiArg
    >({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}/compare/${encodeURIComponent(String(queryArg.opponent))}`,
        params: {
          sortBy: queryArg.sortBy,
          behindBelow: queryArg.behindBelow,
          offset: queryArg.offset,
          limit: queryArg.limit,
        },
      }),
    }),
    getPlayerStatistics: build.query<
      GetPlayerStatisticsApiResponse,
      GetPlayerStatisticsApiArg
    >({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}/statistics`,
      }),
    }),
    listImprovements: build.query<
      ListImprovementsApiResponse,
      ListImprovementsApiArg
    >({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}/improvements`,
        params: {
          offset: queryArg.offset,
          limit: queryArg.limit,
        },
      }),
    }),
    getImprovement: build.query<
      GetImprovementApiResponse,
      GetImprovementApiArg
    >({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}/improvements/${encodeURIComponent(String(queryArg.map))}`,
      }),
    }),
    listRankings: build.query<ListRankingsApiResponse, ListRankingsApiArg>({
      query: (queryArg) => ({
        url: `/rankings`,
        params: {
          by: queryArg.by,
          mode: queryArg.mode,
          period: queryArg.period,
          around: queryArg.around,
          page: queryArg.page,
          limit: queryArg.limit,
        },
      }),
    }),
    getPlayerPoints: build.query<
      GetPlayerPointsApiResponse,
      GetPlayerPointsApiArg
    >({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}/points`,
        params: {
          mode: queryArg.mode,
          offset: queryArg.offset,
          limit: queryArg.limit,
        },
      }),
    }),
    getPlayerPointsHistory: build.query<
      GetPlayerPointsHistoryApiResponse,
      GetPlayerPointsHistoryApiArg
    >({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}/points/history`,
      }),
    }),
    getMapPoints: build.query<GetMapPointsApiResponse, GetMapPointsApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}/points`,
      }),
    }),
    submitRecord: build.mutation<SubmitRecordApiResponse, SubmitRecordApiArg>({
      query: (queryArg) => ({
        url: `/records/submit`,
        method: "POST",
        body: queryArg.recordSubmission,
      }),
    }),
    getStats: build.query<GetStatsApiResponse, GetStatsApiArg>({
      query: () => ({ url: `/stats` }),
    }),
    searchPlayers: build.query<SearchPlayersApiResponse, SearchPlayersApiArg>({
      query: (queryArg) => ({
        url: `/players/search`,
        params: {
          name: queryArg.name,
          sortBy: queryArg.sortBy,
          sortDir: queryArg.sortDir,
          page: queryArg.page,
          limit: queryArg.limit,
        },
      }),
    }),
    getPlayer: build.query<GetPlayerApiResponse, GetPlayerApiArg>({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updatePlayer: build.mutation<UpdatePlayerApiResponse, UpdatePlayerApiArg>({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.playerUpdate,
      }),
    }),
    listInbox: build.query<ListInboxApiResponse, ListInboxApiArg>({
      query: (queryArg) => ({
        url: `/inbox`,
        params: {
          unread: queryArg.unread,
          kind: queryArg.kind,
          before: queryArg.before,
          limit: queryArg.limit,
        },
      }),
    }),
    countInbox: build.query<CountInboxApiResponse, CountInboxApiArg>({
      query: () => ({ url: `/inbox/count` }),
    }),
    readInbox: build.mutation<ReadInboxApiResponse, ReadInboxApiArg>({
      query: (queryArg) => ({
        url: `/inbox/read`,
        method: "POST",
        body: queryArg.inboxRead,
      }),
    }),
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
    listFollows: build.query<ListFollowsApiResponse, ListFollowsApiArg>({
      query: () => ({ url: `/follows` }),
    }),
    getPlayerFollow: build.query<
      GetPlayerFollowApiResponse,
      GetPlayerFollowApiArg
    >({
      query: (queryArg) => ({
        url: `/follows/players/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    followPlayer: build.mutation<FollowPlayerApiResponse, FollowPlayerApiArg>({
      query: (queryArg) => ({
        url: `/follows/players/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
      }),
    }),
    unfollowPlayer: build.mutation<
      UnfollowPlayerApiResponse,
      UnfollowPlayerApiArg
    >({
      query: (queryArg) => ({
        url: `/follows/players/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    getMapFollow: build.query<GetMapFollowApiResponse, GetMapFollowApiArg>({
      query: (queryArg) => ({
        url: `/follows/maps/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    followMap: build.mutation<FollowMapApiResponse, FollowMapApiArg>({
      query: (queryArg) => ({
        url: `/follows/maps/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
      }),
    }),
    unfollowMap: build.mutation<UnfollowMapApiResponse, UnfollowMapApiArg>({
      query: (queryArg) => ({
        url: `/follows/maps/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedApi };
export type RequestRoomLinkApiResponse =
  /** status 200 The room to join. */ RoomLink;
export type RequestRoomLinkApiArg = void;
export type GetLoginStatusApiResponse =
  /** status 200 The status. */ LoginStatusAnswer;
export type GetLoginStatusApiArg = {
  /** As requestRoomLink gave it. */
  sessionId: string;
};
export type VerifyCodeApiResponse = /** status 200 Logged in. */ LoginAnswer;
export type VerifyCodeApiArg = {
  codeEntry: CodeEntry;
};
export type RefreshTokenApiResponse =
  /** status 200 A new access token, or that there is no session to go on with. */ RefreshAnswer;
export type RefreshTokenApiArg = void;
export type LogoutApiResponse = /** status 200 Logged out. */ LogoutAnswer;
export type LogoutApiArg = void;
export type SearchMapsApiResponse = /** status 200 A page of maps. */ MapPage;
export type SearchMapsApiArg = {
  /** Any part of the map's name, without regard to letter case, accents and kinds of quotation marks; `_` and dashes are blanks. A term of one or two characters matches the beginnings of words. Each character of a script without blanks is a word. */
  name?: string;
  /** Any part of the author's name, without regard to letter case, accents and kinds of quotation marks; `_` and dashes are blanks. A term of one or two characters matches the beginnings of words. Each character of a script without blanks is a word. */
  author?: string;
  /** The `_id` of the author. */
  authorId?: string;
  /** Maps of this mode alone. An unknown mode is refused. */
  gameMode?: GameMode;
  /** Tags joined by commas, of which a map must have all. Letter case and spaces around a tag don't matter. */
  tags?: string;
  /** Maps by where the caller stands on them, judged by the personal best as the leaderboard is:
    
    - `unplayed`: without a personal best on this version, also where an older version was played.
    - `played`: with one.
    - `belowGold`, `belowAuthor`: slower than the medal.
    - `notFirst`: not rank 1.
    - `near`: at most 3 % slower than the next medal.
    
    Maps without medal times never match `belowGold`, `belowAuthor` and `near`. Needs a token. */
  progress?: ProgressFilter;
  /** What the maps are sorted by. The default is createdAt. `toNextMedal` (milliseconds to the caller's next medal) and `myRank` (of the caller's
    personal best) need a token and leave out maps without such a value. */
  sortBy?: MapSortBy;
  /** The default is desc for createdAt and recordCount and asc for the others. */
  sortDir?: SortDir;
  /** Counted from 1. */
  page?: number;
  /** `pagination.next` of the page before, with the same filters, `sortBy` and `sortDir`: a map stands on one page, also when others are added. What is none of this order is 400 (`after_invalid`), as is `after` with `page`, or sorted by `toNextMedal` or `myRank`. */
  after?: string;
  /** Maps on a page. */
  limit?: number;
};
export type PopularTagsApiResponse =
  /** status 200 Tags, the most used first. */ TagList;
export type PopularTagsApiArg = void;
export type GetMapApiResponse = /** status 200 The map. */ MapAnswer;
export type GetMapApiArg = {
  /** The map's `_id`. */
  id: string;
};
export type GetMapDataApiResponse =
  /** status 200 The encoded map. */ MapDataAnswer;
export type GetMapDataApiArg = {
  /** The map's `_id`. */
  id: string;
};
export type ListMapVersionsApiResponse =
  /** status 200 The versions. */ MapVersionList;
export type ListMapVersionsApiArg = {
  /** The `_id` of any of the versions. */
  id: string;
};
export type ListRecordsApiResponse =
  /** status 200 A page of records. */ RecordPage;
export type ListRecordsApiArg = {
  /** The map's `_id`. */
  map?: string;
  /** The `_id` of a player, whose records alone are listed. On a leaderboard that is one row with its rank, or none. */
  player?: string;
  /** The `_id` of a player whose row is returned with the five above and the five below it on the leaderboard of `map`; nothing for a player without a row. With `player`, `offset`, `after` or `limit`, or without `map`, it is 400 (`around_invalid`). */
  around?: string;
  /** True for the rows of the caller and of the players whom the caller follows alone, on the leaderboard of `map`. With `player` or `around`, or without `map`, it is 400 (`following_invalid`). */
  following?: boolean;
  /** What the records are sorted by: `updatedAt`, which is the default, or `finishTime,finishTimeStamp`, the one order of leaderboards. Records that are equal in it come in the order of their `_id`. */
  sortBy?: RecordSortBy;
  /** `asc` or `desc` for `updatedAt`, whose default is desc; `asc,asc` or `desc,desc` for `finishTime,finishTimeStamp`, whose default is asc,asc. A leaderboard takes `asc,asc` alone. */
  sortDir?: RecordSortDir;
  /** How many rows come before the first of the page. */
  offset?: number;
  /** `pagination.next` of the page before, with the same `map`, `player`, `sortBy` and `sortDir`. What is none of this list in this order is 400 (`after_invalid`), as is `after` with `offset`, with `following`, or with `map` and `player` both. */
  after?: string;
  /** Rows on a page. */
  limit?: number;
};
export type GetRecordApiResponse = /** status 200 The record. */ RecordAnswer;
export type GetRecordApiArg = {
  /** The record's `_id`. */
  id: string;
};
export type GetRecordVerificationApiResponse =
  /** status 200 The checks. */ VerificationAnswer;
export type GetRecordVerificationApiArg = {
  /** The record's `_id`. */
  id: string;
};
export type ListWorldRecordsApiResponse =
  /** status 200 The list. */ WorldRecordList;
export type ListWorldRecordsApiArg = {
  /** Rows in the list. */
  limit?: number;
};
export type GetMapHistoryApiResponse =
  /** status 200 The history. */ HistoryAnswer;
export type GetMapHistoryApiArg = {
  /** The map's `_id`. */
  id: string;
};
export type GetProgressApiResponse =
  /** status 200 The caller's progress. */ ProgressAnswer;
export type GetProgressApiArg = {
  /** The `_id` of 1 to 100 maps, separated by commas. Anything else is 400 (`maps_invalid`). */
  maps: string;
};
export type GetGoalsApiResponse = /** status 200 The goals. */ GoalsAnswer;
export type GetGoalsApiArg = void;
export type PutGoalAsideApiResponse = unknown;
export type PutGoalAsideApiArg = {
  /** The map's `_id`. */
  map: string;
};
export type TakeUpGoalApiResponse = unknown;
export type TakeUpGoalApiArg = {
  /** The map's `_id`. */
  map: string;
};
export type ListStartersApiResponse = /** status 200 The maps. */ StarterList;
export type ListStartersApiArg = void;
export type ComparePlayersApiResponse =
  /** status 200 The comparison. */ ComparisonAnswer;
export type ComparePlayersApiArg = {
  /** The player's `_id`. */
  id: string;
  /** The other player's `_id`. */
  opponent: string;
  /** `closest`, which is the default, or `biggest` difference first. Equal ones come in the order of the map's `_id`. */
  sortBy?: ComparisonOrder;
  /** Leaves only the maps on which the player is slower than the opponent by less than so many milliseconds. */
  behindBelow?: number;
  /** How many maps come before the first of the page. */
  offset?: number;
  /** Maps on a page. */
  limit?: number;
};
export type GetPlayerStatisticsApiResponse =
  /** status 200 The statistics. */ StatisticsAnswer;
export type GetPlayerStatisticsApiArg = {
  /** The player's `_id`. */
  id: string;
};
export type ListImprovementsApiResponse =
  /** status 200 A page of maps. */ ImprovementPage;
export type ListImprovementsApiArg = {
  /** The player's `_id`. */
  id: string;
  /** How many maps come before the first of the page. */
  offset?: number;
  /** Maps on a page. */
  limit?: number;
};
export type GetImprovementApiResponse =
  /** status 200 The improvements. */ ImprovementAnswer;
export type GetImprovementApiArg = {
  /** The player's `_id`. */
  id: string;
  /** The map's `_id`. */
  map: string;
};
export type ListRankingsApiResponse =
  /** status 200 A page of the ranking. */ RankingPage;
export type ListRankingsApiArg = {
  /** What the players are ordered by. Anything else is 400. */
  by?: RankingBy;
  /** The display name of a mode of maps, whose maps alone count. Left out, all maps count. Anything else is 400 (`mode_unknown`). */
  mode?: string;
  /** Anything else is 400. */
  period?: RankingPeriod;
  /** The `_id` of a player. With `page` or `limit` it is 400 (`around_invalid`). */
  around?: string;
  /** Counted from 1. */
  page?: number;
  /** Rows on a page. More than 100 is 400 (`page_invalid`). */
  limit?: number;
};
export type GetPlayerPointsApiResponse =
  /** status 200 The points, with a page of the maps. */ PlayerPointsAnswer;
export type GetPlayerPointsApiArg = {
  /** The player's `_id`. */
  id: string;
  /** The display name of a mode of maps, whose maps alone count. Left out, all maps count. Anything else is 400 (`mode_unknown`). */
  mode?: string;
  /** How many maps come before the first of the page. */
  offset?: number;
  /** Maps on a page. */
  limit?: number;
};
export type GetPlayerPointsHistoryApiResponse =
  /** status 200 The days. */ PointsHistoryAnswer;
export type GetPlayerPointsHistoryApiArg = {
  /** The player's `_id`. */
  id: string;
};
export type GetMapPointsApiResponse =
  /** status 200 The places. */ MapPointsAnswer;
export type GetMapPointsApiArg = {
  /** The map's `_id`. */
  id: string;
};
export type SubmitRecordApiResponse =
  /** status 201 The record and its place on the leaderboard. */ SubmitAnswer;
export type SubmitRecordApiArg = {
  recordSubmission: RecordSubmission;
};
export type GetStatsApiResponse = /** status 200 The totals. */ StatsAnswer;
export type GetStatsApiArg = void;
export type SearchPlayersApiResponse =
  /** status 200 A page of players. */ PlayerPage;
export type SearchPlayersApiArg = {
  /** Any part of the name, without regard to letter case or accents, at most 64 characters. Left out or empty, it finds everybody. */
  name?: string;
  /** What the players are sorted by. The default is name. */
  sortBy?: PlayerSortBy;
  /** The default is asc for name and desc for the others. */
  sortDir?: SortDir;
  /** Counted from 1. */
  page?: number;
  /** Players on a page. */
  limit?: number;
};
export type GetPlayerApiResponse = /** status 200 The player. */ PlayerAnswer;
export type GetPlayerApiArg = {
  /** The player's `_id`. */
  id: string;
};
export type UpdatePlayerApiResponse =
  /** status 200 The player as changed. */ PlayerAnswer;
export type UpdatePlayerApiArg = {
  /** The player's `_id`. */
  id: string;
  playerUpdate: PlayerUpdate;
};
export type ListInboxApiResponse =
  /** status 200 A page of groups. */ InboxPage;
export type ListInboxApiArg = {
  /** True for unread notifications alone. */
  unread?: boolean;
  /** Notifications of one kind alone. */
  kind?: NotificationKind;
  /** The `_id` of the last group of the page before, for the next page. */
  before?: string;
  /** Groups on a page. */
  limit?: number;
};
export type CountInboxApiResponse =
  /** status 200 The number. */ InboxCountAnswer;
export type CountInboxApiArg = void;
export type ReadInboxApiResponse =
  /** status 200 How many groups are unread now. */ InboxCountAnswer;
export type ReadInboxApiArg = {
  inboxRead: InboxRead;
};
export type GetInboxSettingsApiResponse =
  /** status 200 The settings, in the order in which a page lists them. */ InboxSettingsAnswer;
export type GetInboxSettingsApiArg = void;
export type UpdateInboxSettingsApiResponse =
  /** status 200 The settings as changed. */ InboxSettingsAnswer;
export type UpdateInboxSettingsApiArg = {
  inboxSettingsUpdate: InboxSettingsUpdate;
};
export type ListFollowsApiResponse =
  /** status 200 The followed players and maps. */ FollowsAnswer;
export type ListFollowsApiArg = void;
export type GetPlayerFollowApiResponse =
  /** status 200 Whether the caller follows the player. */ FollowAnswer;
export type GetPlayerFollowApiArg = {
  /** The player's `_id`. That of a merged player stands for the player merged into. */
  id: string;
};
export type FollowPlayerApiResponse = unknown;
export type FollowPlayerApiArg = {
  /** The player's `_id`. That of a merged player stands for the player merged into. */
  id: string;
};
export type UnfollowPlayerApiResponse = unknown;
export type UnfollowPlayerApiArg = {
  /** The player's `_id`. That of a merged player stands for the player merged into. */
  id: string;
};
export type GetMapFollowApiResponse =
  /** status 200 Whether the caller follows the map. */ FollowAnswer;
export type GetMapFollowApiArg = {
  /** The `_id` of any version of the map. All versions are followed. */
  id: string;
};
export type FollowMapApiResponse = unknown;
export type FollowMapApiArg = {
  /** The `_id` of any version of the map. All versions are followed. */
  id: string;
};
export type UnfollowMapApiResponse = unknown;
export type UnfollowMapApiArg = {
  /** The `_id` of any version of the map. All versions are followed. */
  id: string;
};
export type RoomLink = {
  success: true;
  /** Lets its holder into the room: for the player alone. Missing while the login waits for its room. */
  roomLink?: string;
  /** How many logins are before this one while it waits for its room, of its address or in the line for rooms; else missing. */
  place?: number;
  /** Names the session for getLoginStatus and verifyCode. A UUID. */
  sessionId: string;
  /** How long the session still lives, or may wait for its room, in seconds. */
  expiresIn: number;
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
export type LoginState =
  "pending" | "code_provided" | "success" | "failed" | "timeout" | "invalid";
export type LoginStatus = {
  status: LoginState;
  /** Why the login has this status, for programs: room_closed. */
  reason: string;
  /** A sentence for the player, which also says who is before a login that waits. */
  message: string;
};
export type LoginStatusAnswer = {
  success: true;
  status: LoginStatus;
  /** As in RoomLink. Missing while the login waits for its room, and when it has ended. */
  roomLink?: string;
  /** How many logins are before this one while it waits for its room; else missing. */
  place?: number;
  /** How long the session still lives, or may wait for its room, in seconds; 0 when it has ended. */
  expiresIn: number;
};
export type PlayerBan = {
  /** When the ban ends by itself, null for one without an end. */
  until: string | null;
  /** The public reason of the moderators' decision, such as edited. Null for a ban by an operator. */
  reason: string | null;
  /** The moderators' decision, to appeal against. A UUID; null for a ban by an operator. */
  decisionId: string | null;
};
export type LoggedInPlayer = {
  /** A UUID. */
  _id: string;
  /** As the game spelled it at the last login. */
  name: string;
  /** The level in the game, as of the last login. */
  level: number;
  /** Path of the avatar image, null when there is none. */
  skinImageUrl: string | null;
  /** Base colour of the game skin as #rrggbb, null when unknown. */
  skinColor: string | null;
  /** In lower case. admin, moderator and validator give rights; any other is a badge. None while the player is banned. */
  roles: string[];
  /** The player's ban, or null. */
  ban: PlayerBan | null;
};
export type LoginAnswer = {
  success: true;
  player: LoggedInPlayer;
  /** A JWT that counts for 15 minutes, for the Authorization header (Bearer). */
  accessToken: string;
};
export type CodeEntry = {
  /** As requestRoomLink gave it. */
  sessionId: string;
  /** Six digits, as a string: leading zeros count. */
  code: string;
};
export type RefreshAnswer = {
  /** Whether there is a session. If so, user and accessToken are here, else code and message. */
  success: boolean;
  user?: LoggedInPlayer;
  /** A JWT that counts for 15 minutes, for the Authorization header (Bearer). */
  accessToken?: string;
  /** Always refresh_missing. */
  code?: string;
  /** A sentence for the player. */
  message?: string;
};
export type LogoutAnswer = {
  success: true;
};
export type PublicReason =
  | "not_own_play"
  | "edited"
  | "wrong_map"
  | "stolen"
  | "broken"
  | "indecent"
  | "duplicate"
  | "alt_account"
  | "name"
  | "avatar"
  | "mistake"
  | "other";
export type GameMode =
  "Classic" | "Grapple" | "VTOL" | "Arrows" | "Death Arrows" | "Simple";
export type PlayerRef = {
  /** A UUID. */
  _id: string;
  name: string;
  /** Path of the avatar image, null when there is none. */
  skinImageUrl: string | null;
  /** Base colour of the game skin as #rrggbb, null when unknown. */
  skinColor: string | null;
};
export type MedalTimes = {
  author: number | null;
  gold: number | null;
  silver: number | null;
  bronze: number | null;
};
export type RemixCredit = {
  /** The game's own id of the original. */
  bonkDbId: number;
  name: string;
  /** Name of the original's author in the game. */
  author: string;
};
export type WorldRecord = {
  /** The record's UUID. */
  _id: string;
  /** Whole milliseconds. */
  finishTime: number;
  player: PlayerRef;
};
export type ParkourMap = {
  /** A UUID. */
  _id: string;
  name: string;
  /** Path of the picture, WebP, at most 1600 pixels wide. Without an uploaded one it is the drawn picture. */
  imageUrl: string;
  /** Path of the picture, WebP, at most 480 pixels wide. */
  thumbnailUrl: string;
  /** Path of the drawing, SVG. Null where the map is not drawn yet. */
  drawingUrl: string | null;
  /** Path of the drawing as a picture, WebP, 1200×630. Null where the map is not drawn yet. */
  pictureUrl: string | null;
  /** Counts the versions of a map of the game from 1. Each has its own leaderboard. */
  version: number;
  /** False where a newer version exists. Searches find the newest version alone. */
  newest: boolean;
  /** True where moderators have unranked the version: its records give no points. */
  unranked: boolean;
  /** The public reason of the decision. Null for a map that is not unranked, and for one that an operator has unranked. */
  unrankedReason: PublicReason | null;
  gameMode: GameMode;
  createdAt: string;
  updatedAt: string;
  author: PlayerRef;
  submittedBy: PlayerRef;
  tags: string[];
  /** Records on the map that are not removed. */
  recordCount: number;
  medalTimes: MedalTimes;
  /** Plain text. */
  description: string;
  /** The game's own id of the map. */
  bonkDbId: number;
  /** The same as bonkDbId. */
  bonkDBID: number;
  /** Names of game accounts that helped to make the map. */
  contributors: string[];
  /** The map that this one was made from, or null. */
  remixOf: RemixCredit | null;
  /** The best record on this version, or null. */
  worldRecord: WorldRecord | null;
};
export type MapPagination = {
  /** Everything that matches, on all pages. */
  total: number;
  /** Counted from 1. With `after`, 1. */
  page: number;
  /** The most that one page holds. */
  limit: number;
  /** How many pages there are. */
  pages: number;
  /** What `after` is for the next page. Null on the last one, and sorted by `toNextMedal` or `myRank`. */
  next: string | null;
};
export type MapPage = {
  success: true;
  data: ParkourMap[];
  pagination: MapPagination;
};
export type ProgressFilter =
  "unplayed" | "played" | "belowGold" | "belowAuthor" | "notFirst" | "near";
export type MapSortBy =
  "name" | "createdAt" | "recordCount" | "toNextMedal" | "myRank";
export type SortDir = "asc" | "desc";
export type TagList = {
  success: true;
  data: string[];
};
export type MapAnswer = {
  success: true;
  data: ParkourMap;
};
export type MapData = {
  /** The text that the game's editor imports. */
  mapData: string;
};
export type MapDataAnswer = {
  success: true;
  data: MapData;
};
export type MapVersion = {
  /** A UUID. */
  _id: string;
  /** Counted from 1. */
  version: number;
  name: string;
  createdAt: string;
  /** Records on this version that are not removed. */
  recordCount: number;
  newest: boolean;
};
export type MapVersionList = {
  success: true;
  data: MapVersion[];
};
export type MapRef = {
  /** A UUID. */
  _id: string;
  name: string;
};
export type Medal = "author" | "gold" | "silver" | "bronze";
export type MapRecord = {
  /** A UUID. */
  _id: string;
  player: PlayerRef;
  map: MapRef;
  /** In whole milliseconds, on one of the game's 30 frames a second. */
  finishTime: number;
  /** When the record was made, as the replay says. */
  finishTimeStamp: string;
  /** When the record was submitted. */
  createdAt: string;
  /** The same as createdAt. Nothing of a record changes. */
  updatedAt: string;
  /** What the finish time earns by the map's medal times, or null. */
  medal: Medal | null;
  /** The place on the map's leaderboard, counted from 1. Absent for a record that is no personal best. */
  rank?: number;
  /** The rows of the map's leaderboard, which are its players. */
  of: number;
  /** True when it is the player's best record on the map. */
  personalBest: boolean;
  /** True for the map's world record now: when it was accepted, it was strictly faster than all records before it. */
  isWorldRecord: boolean;
  /** True for another record with the time of the world record. One with an earlier time stamp is before it on the leaderboard. */
  equalsWorldRecord: boolean;
};
export type RecordGap = {
  /** Than the row above, in milliseconds. 0 for equal times. */
  toAbove: number;
  /** Than the first row, in milliseconds. */
  toFirst: number;
};
export type ListedRecord = MapRecord & {
  gap?: RecordGap;
  /** The player's points on the map, to the tenth. Only on a leaderboard, for players that count, on maps that give points. */
  points?: number;
};
export type RecordPagination = {
  /** Everything that matches, on all pages. */
  total: number;
  /** How many rows come before the first of the page. 0 with `after`. */
  offset: number;
  /** The most that one page holds. */
  limit: number;
  /** What `after` is for the next page, null on the last one. Null for rows around a player and of followed players. */
  next: string | null;
};
export type RecordPage = {
  success: true;
  data: ListedRecord[];
  pagination: RecordPagination;
};
export type RecordSortBy = "updatedAt" | "finishTime,finishTimeStamp";
export type RecordSortDir = "asc" | "desc" | "asc,asc" | "desc,desc";
export type RowAbove = {
  /** The record's UUID. */
  _id: string;
  player: PlayerRef;
  /** In milliseconds. */
  finishTime: number;
  /** The place on the map's leaderboard, counted from 1. */
  rank: number;
  /** By how many milliseconds it is faster. 0 for equal times. */
  gap: number;
};
export type RecordDetails = MapRecord & {
  /** The record's place on the leaderboard when it was accepted, counted from 1. Null when it was no personal best then. */
  rankAtSubmission: number | null;
  /** The player's best finish time on the map among the records that were accepted before this one, in milliseconds, null when there is none. */
  previousBest: number | null;
  /** The map's best finish time among the records that were accepted before this one, in milliseconds, null when there is none. */
  previousWorldRecord: number | null;
  /** The map's world record now. */
  worldRecord: WorldRecord | null;
  /** The row directly above on the leaderboard. Null for its first row, and for a record that is no personal best. */
  nextAbove: RowAbove | null;
  /** The version of the map that the record was made on, counted from 1. */
  mapVersion: number;
  /** False when the map has a newer version. */
  newestVersion: boolean;
};
export type RecordAnswer = {
  success: true;
  data: RecordDetails;
};
export type VerificationResult = "passed" | "not_applicable";
export type VerificationCheck = {
  /** One of `read_by_server`, `validated`, `labels_agree`, `own_replay`, `finish_time_given`, `whole_frames`, `time_stamp_plausible`, `finish_unambiguous`, `map_unchanged`, `file_not_submitted_before`, `finish_not_submitted_before` and `first_record_of_author_or_validator`. Later releases may have others. */
  name: string;
  result: VerificationResult;
  /** What was checked, for people. */
  sentence: string;
};
export type MissingCheck = {
  /** `simulation`. Later releases may have others. */
  name: string;
  /** What was not checked, for people. */
  sentence: string;
};
export type Verification = {
  /** When the record was accepted. */
  checkedAt: string;
  checks: VerificationCheck[];
  notChecked: MissingCheck[];
};
export type VerificationAnswer = {
  success: true;
  data: Verification;
};
export type ListedWorldRecord = MapRecord & {
  /** Path of the map's drawing as a picture, WebP, 1200×630. Null where the map is not drawn yet. */
  mapPictureUrl: string | null;
  /** What the record is worth to the player now, to the tenth. Only where it is the player's personal best, for players that count, on maps that give points. */
  points?: number;
  /** The finish time of the map's world record before, in milliseconds, null when there was none. */
  previousWorldRecord: number | null;
};
export type WorldRecordList = {
  success: true;
  data: ListedWorldRecord[];
};
export type WorldRecordStep = {
  /** The record's UUID. */
  _id: string;
  /** In milliseconds. */
  finishTime: number;
  player: PlayerRef;
  /** When it became the world record. */
  from: string;
  /** When the next one replaced it, null for the world record now. */
  until: string | null;
};
export type WorldRecordHolder = {
  player: PlayerRef;
  /** How often the player took the world record from another player, or was the first. */
  reigns: number;
  /** In milliseconds, without the time since the world record now was accepted. */
  heldFor: number;
  /** True for the player who holds the world record now. */
  current: boolean;
};
export type MapHistory = {
  /** The world records in the order of their acceptance, of more than 1,000 the newest 1,000. */
  steps: WorldRecordStep[];
  /** The players who hold or held the world record, at most 100. The current holder is the first, the others follow by the time for which they held it, longest first. */
  holders: WorldRecordHolder[];
};
export type HistoryAnswer = {
  success: true;
  data: MapHistory;
  /** How many world records the map had, at most 10,000. */
  total: number;
};
export type ProgressBest = {
  /** The record's UUID. */
  _id: string;
  /** In milliseconds. */
  finishTime: number;
  /** The place on the map's leaderboard, counted from 1. */
  rank: number;
  /** What the finish time earns by the map's medal times, or null. */
  medal: Medal | null;
  /** By how many milliseconds the player has to be faster for the next medal, null when there is none. */
  toNextMedal: number | null;
  /** By how many milliseconds the world record is faster, 0 when it is not. */
  toWorldRecord: number;
};
export type NextMedal = {
  medal: Medal;
  /** The slowest time that earns the medal, in milliseconds. */
  finishTime: number;
};
export type MapProgress = {
  /** The map's `_id`. */
  map: string;
  /** The player's personal best on this version of the map, null when there is none. */
  best: ProgressBest | null;
  /** The next better medal than that of the personal best, the easiest one without a personal best, null when there is no better one. */
  nextMedal: NextMedal | null;
  /** The finish time of the map's world record, in milliseconds, null when there is none. */
  worldRecord: number | null;
  /** True when the player has finished an older version and not this one. */
  playedOlderVersion: boolean;
};
export type ProgressAnswer = {
  success: true;
  data: MapProgress[];
};
export type GoalBest = {
  /** In milliseconds. */
  finishTime: number;
  /** The place on the map's leaderboard, counted from 1. */
  rank: number;
  /** What the finish time earns by the map's medal times, or null. */
  medal: Medal | null;
};
export type GoalTarget = {
  kind: "medal" | "place";
  /** Null for a place. */
  medal: Medal | null;
  /** The place that the finish time reaches, counted from 1, null for a medal. */
  rank: number | null;
  /** The slowest time that reaches it, in milliseconds. For a place it is a frame of the game faster than the row above. */
  finishTime: number;
};
export type Goal = {
  map: MapRef;
  /** The mode's display name, null where it is not known yet. */
  mode: string | null;
  medalTimes: MedalTimes;
  /** The player's personal best, null for a map that the player has not finished. */
  best: GoalBest | null;
  /** What can be reached: the easiest medal without a personal best. Null where the map has no medal times then. */
  target: GoalTarget | null;
  /** By how many milliseconds the player has to be faster, null without a personal best. */
  gap: number | null;
  /** The gap as a part of the personal best, null without one. */
  relativeGap: number | null;
};
export type Goals = {
  /** `newcomer` for a caller who has finished fewer than five maps. */
  kind: "goals" | "newcomer";
  goals: Goal[];
};
export type GoalsAnswer = {
  success: true;
  data: Goals;
};
export type StarterList = {
  success: true;
  data: Goal[];
};
export type Score = {
  wins: number;
  losses: number;
  ties: number;
};
export type ModeScore = {
  /** The mode's display name, null where it is not known yet. */
  mode: string | null;
  score: Score;
};
export type ComparedRecord = {
  /** The record's UUID. */
  _id: string;
  /** In milliseconds. */
  finishTime: number;
};
export type ComparedMap = {
  map: MapRef;
  /** The mode's display name, null where it is not known yet. */
  mode: string | null;
  player: ComparedRecord;
  opponent: ComparedRecord;
  /** By how many milliseconds the player is slower than the opponent, negative where the player is faster. */
  difference: number;
};
export type Comparison = {
  player: PlayerRef;
  opponent: PlayerRef;
  score: Score;
  /** The score by mode, in the order of their names. */
  modes: ModeScore[];
  maps: ComparedMap[];
};
export type OffsetPagination = {
  /** Everything that matches, on all pages. */
  total: number;
  /** How many rows come before the first of the page. */
  offset: number;
  /** The most that one page holds. */
  limit: number;
};
export type ComparisonAnswer = {
  success: true;
  data: Comparison;
  pagination: OffsetPagination;
};
export type ComparisonOrder = "closest" | "biggest";
export type FinishedMaps = {
  /** Maps whose newest version the player has finished. */
  total: number;
  /** Maps on the site. The versions of a map count as one. */
  of: number;
};
export type MedalCounts = {
  author: number;
  gold: number;
  silver: number;
  bronze: number;
  /** Also on maps without medal times. */
  none: number;
};
export type ModeStatistics = {
  /** The mode's display name, null where it is not known yet. */
  mode: string | null;
  /** Maps of the mode whose newest version the player has finished. */
  finished: number;
  /** Maps of the mode on the site. */
  of: number;
  medals: MedalCounts;
};
export type Reign = {
  map: MapRef;
  /** The `_id` of the record with which the player took the world record. */
  record: string;
  /** When the player took the world record. */
  from: string;
  /** When another player took it, null where the player still holds it. */
  until: string | null;
  /** How long that is, up to the time of the answer where the player still holds it. */
  milliseconds: number;
};
export type WorldRecordStatistics = {
  /** Leaderboards whose world record the player holds. */
  now: number;
  /** Leaderboards whose world record the player holds or once held. */
  ever: number;
  /** The longest time for which the player held a world record, also by several records one after the other. Null for a player who never held one. */
  longestReign: Reign | null;
};
export type BreakingRecord = {
  /** The `_id` of the record that took the world record. */
  record: string;
  player: PlayerRef;
  /** In milliseconds. */
  finishTime: number;
};
export type LostWorldRecord = {
  map: MapRef;
  /** The `_id` of the player's record that was broken. */
  record: string;
  /** Its finish time, in milliseconds. */
  finishTime: number;
  /** When the player took the world record, by this record or by one before it. */
  from: string;
  /** When another player took it. */
  until: string;
  /** How long that is. */
  milliseconds: number;
  brokenBy: BreakingRecord;
};
export type BestPlacement = {
  map: MapRef;
  /** The mode's display name, null where it is not known yet. */
  mode: string | null;
  /** The place on the map's leaderboard, counted from 1. */
  rank: number;
  /** The rows of the leaderboard. */
  of: number;
  /** The `_id` of the player's personal best. */
  record: string;
  /** In milliseconds. */
  finishTime: number;
};
export type MonthActivity = {
  /** As in 2026-01. */
  month: string;
  /** Records that the player submitted in the month. */
  records: number;
};
export type PlayerStatistics = {
  finished: FinishedMaps;
  /** The same by mode, in the order of their names. The sums are those of finished. */
  modes: ModeStatistics[];
  worldRecords: WorldRecordStatistics;
  /** The player's world records that another player has broken, newest loss first, at most twenty. */
  lostWorldRecords: LostWorldRecord[];
  /** The player's highest places on leaderboards, at most ten, and only those among the first hundred of a leaderboard. Of equal places that on the leaderboard with the most players is the first. */
  bestPlacements: BestPlacement[];
  /** The last 24 months in UTC, this month included, oldest first, also those without records. */
  activity: MonthActivity[];
};
export type StatisticsAnswer = {
  success: true;
  data: PlayerStatistics;
};
export type ImprovementRecord = {
  /** The record's UUID. */
  _id: string;
  /** In milliseconds. */
  finishTime: number;
  /** When the record was submitted. */
  createdAt: string;
};
export type ImprovedMap = {
  map: MapRef;
  /** Which version of the map it is, counted from 1. */
  mapVersion: number;
  /** The mode's display name, null where it is not known yet. */
  mode: string | null;
  /** The finish time of the player's first record, in milliseconds. */
  firstFinishTime: number;
  best: ImprovementRecord;
  /** How many records were faster than all before them, without the first. */
  improvements: number;
  /** By how many milliseconds the best record is faster than the first. */
  improvedBy: number;
};
export type ImprovementPage = {
  success: true;
  data: ImprovedMap[];
  pagination: OffsetPagination;
};
export type Improvement = ImprovementRecord & {
  /** By how many milliseconds it was faster than the personal best before it, null for the first record. */
  improvedBy: number | null;
};
export type ImprovementAnswer = {
  success: true;
  data: Improvement[];
};
export type RankingMedals = {
  author: number;
  gold: number;
  silver: number;
  bronze: number;
};
export type RankChange = {
  /** Points won, or lost (negative), to the tenth. */
  points: number;
  /** Places won (12th to 9th is 3), or lost (negative). */
  places: number;
};
export type RankingRow = {
  /** The place, counted from 1. Equal values share one. */
  rank: number;
  player: PlayerRef;
  /** What the ranking is by: points with one decimal, or a number of maps. */
  value: number;
  /** The total of points, to the tenth, with the ranking's mode and period. */
  points: number;
  /** Maps whose world record the player holds. */
  worldRecords: number;
  medals: RankingMedals;
  /** Maps that the player has finished, in their newest versions. */
  finished: number;
  /** The change since the day a week ago. Null for a player who was not ranked then, and in rankings of a mode, of a month, or by anything but points. */
  change7d: RankChange | null;
};
export type RankingPagination = {
  /** Players in the ranking. */
  total: number;
  /** Counted from 1. With `around`, 1. */
  page: number;
  /** The most that one page holds. */
  limit: number;
  /** How many pages there are. With `around`, 1. */
  pages: number;
  /** How many rows come before the first of the answer. */
  offset: number;
};
export type PointsThresholds = {
  /** Players that count who must have finished a map, so that it gives points. */
  finishers: number;
  /** Maps that a player must have finished in order to count. */
  maps: number;
  /** Authors by whom these maps must be. */
  authors: number;
};
export type RankingPage = {
  success: true;
  data: RankingRow[];
  pagination: RankingPagination;
  /** The version of the formula of points. */
  formulaVersion: number;
  /** All changes before it are in the answer. */
  asOf: string;
  /** When the month began (UTC), null for all time. */
  periodFrom: string | null;
  /** When the month ends and the ranking begins anew, null for all time. */
  periodUntil: string | null;
  thresholds: PointsThresholds;
};
export type RankingBy =
  "points" | "worldRecords" | "authorMedals" | "goldMedals" | "finished";
export type RankingPeriod = "all" | "month";
export type MissingForRank = {
  /** `not_registered` for a player who has never logged in, `maps` for one who needs more maps or authors, `value` for one of whom nothing counts for the ranking. */
  reason: "not_registered" | "maps" | "value";
  /** Maps that the player still has to finish. 0 when that is not the reason. */
  maps: number;
  /** Further authors by whom maps must be, 0 when that is not the reason. */
  authors: number;
};
export type PointsCause = {
  map: MapRef;
  /** `improved` where the player's personal best is from since then, `others` where others have played, `gone` where the map or the personal best counts no longer. */
  kind: "improved" | "others" | "gone";
  /** The map's points then, to the tenth. */
  pointsBefore: number;
  /** Now, to the tenth. */
  points: number;
  /** By how much the map's share of the total has changed, to the tenth, also because its position has changed. */
  change: number;
};
export type PointsChange = RankChange & {
  /** The day (UTC) with whose end the points are compared. */
  since: string;
  /** The five largest, won or lost. */
  causes: PointsCause[];
  /** What all others add up to, to the tenth. */
  rest: number;
};
export type ModePoints = {
  /** The mode's display name. */
  mode: string;
  /** The total with the maps of this mode alone, to the tenth. */
  points: number;
};
export type PlayerMapPoints = {
  map: MapRef;
  /** The mode's display name, null where it is not known yet. */
  mode: string | null;
  /** The `_id` of the player's personal best. */
  record: string;
  /** In milliseconds. */
  finishTime: number;
  /** Other players that count who have finished the map: m. */
  opponents: number;
  /** Those that are slower, plus half of those with the same time: b. */
  beaten: number;
  /** Those with the same time. */
  tied: number;
  /** 1 and those that are faster: r. */
  place: number;
  /** 30·m / (m + 20), to the tenth. The three terms are rounded so that they add up to the points. */
  finish: number;
  /** 770·b / (m + 20), to the tenth. */
  beatenPoints: number;
  /** 200, 120, 90, 60 or 20 for the places 1 to 5, times b / (m + 20), to the tenth. */
  placeBonus: number;
  /** To the tenth. 0 where too few players have finished the map. */
  points: number;
  /** The map's place among the player's maps by points, counted from 1. */
  position: number;
  /** 0.95^(position − 1), to 12 decimals. */
  weight: number;
  /** points × weight, to 6 decimals: what the map adds to the total. */
  share: number;
  /** How many further players that count must finish the map, so that it gives points. */
  finishersMissing: number;
};
export type PlayerPoints = {
  player: PlayerRef;
  /** The sum of the shares of all maps, rounded to the tenth. */
  total: number;
  /** The place in the ranking of all time by points, null for a player who is not ranked. */
  rank: number | null;
  /** Players in that ranking. */
  ranked: number;
  /** Why the player is not ranked. Null for one who is. */
  missing: MissingForRank | null;
  worldRecords: number;
  medals: RankingMedals;
  finished: number;
  /** The change since the day a week ago and where it comes from. Null with a `mode`, and for a player who was not ranked then. */
  change7d: PointsChange | null;
  /** The modes of maps in which the player has points, that with the most first, whichever `mode` was asked for. */
  modes: ModePoints[];
  /** A page of the maps, those with the most points first. */
  maps: PlayerMapPoints[];
  /** The version of the formula of points. */
  formulaVersion: number;
  /** All changes before it are in the answer. */
  asOf: string;
  thresholds: PointsThresholds;
};
export type PlayerPointsAnswer = {
  success: true;
  data: PlayerPoints;
  pagination: OffsetPagination;
};
export type PointsDay = {
  /** The day, in UTC. Points and rank are those at its end. */
  day: string;
  /** The total, to the tenth. */
  points: number;
  /** Null for a day on which the player was not ranked. */
  rank: number | null;
};
export type PointsHistoryAnswer = {
  success: true;
  data: PointsDay[];
  /** The version of the formula of points. */
  formulaVersion: number;
  /** The end of the last day that is in the answer. */
  asOf: string;
};
export type UnrankedReason = "finishers" | "superseded" | "unranked";
export type PlacePoints = {
  place: number;
  finish: number;
  beatenPoints: number;
  placeBonus: number;
  /** The sum of the three, to the tenth. */
  points: number;
};
export type MapPoints = {
  /** True when the map gives points. */
  ranked: boolean;
  /** Why the map gives no points. Null when it does. */
  reason: UnrankedReason | null;
  /** Why moderators have unranked it. Null for another `reason`, and where an operator has unranked it. */
  publicReason: PublicReason | null;
  /** Players that count who have finished the map. */
  finishers: number;
  /** What the places are worth with these finishers. Empty when the map gives no points. */
  places: PlacePoints[];
  /** The version of the formula of points. */
  formulaVersion: number;
  /** All changes of the map before it are in the answer. */
  asOf: string;
  thresholds: PointsThresholds;
};
export type MapPointsAnswer = {
  success: true;
  data: MapPoints;
};
export type SubmittedRecord = {
  /** A UUID. */
  _id: string;
  /** The player's `_id`. */
  player: string;
  /** The map's `_id`. */
  map: string;
  /** In whole milliseconds, on one of the game's 30 frames a second. */
  finishTime: number;
  /** When the record was made, as the replay says. */
  finishTimeStamp: string;
  /** When the record was submitted. */
  createdAt: string;
  /** The same as createdAt. Nothing of a record changes. */
  updatedAt: string;
  /** What the finish time earns by the map's medal times, or null. */
  medal: Medal | null;
  /** The place on the map's leaderboard, counted from 1, when it is a personal best. */
  rank?: number;
  /** True when it is the player's best record on the map. */
  personalBest: boolean;
};
export type Submitted = {
  record: SubmittedRecord;
  /** The player's place on the map's leaderboard now, by their personal best, counted from 1. */
  rank: number;
  /** True when this record is the player's best on the map now. */
  personalBest: boolean;
  /** The finish time of the player's best record before, in milliseconds, null when there was none. */
  previousBest: number | null;
  /** True when this record is strictly faster than all records of the map before it. */
  worldRecord: boolean;
  /** True when this record has the time of the map's world record, which it does not replace. */
  equalsWorldRecord: boolean;
};
export type SubmitAnswer = {
  success: true;
  data: Submitted;
};
export type RecordSubmission = {
  /** The .lbReplay file, at most 1 MB. */
  replayFile: Blob;
  /** The `_id` of the map that the submitter has selected, in any version. Left out or empty, the replay decides. */
  map?: string;
};
export type Stats = {
  /** Maps, without removed ones. The versions of a map count as one. */
  totalMaps: number;
  /** Players who have logged in. */
  totalPlayers: number;
  /** Records on all versions of maps, without removed ones and those on removed maps. */
  totalRecords: number;
};
export type StatsAnswer = {
  success: true;
  data: Stats;
};
export type Player = {
  /** A UUID. */
  _id: string;
  /** As the game spelled it at the last login. */
  name: string;
  /** The level in the game, as of the last login. */
  level: number;
  /** Path of the avatar image, WebP, at most 256 pixels wide; null when there is none. */
  skinImageUrl: string | null;
  /** Base colour of the game skin as #rrggbb, null when unknown. */
  skinColor: string | null;
  /** In lower case. admin, moderator and validator give rights; any other is a badge. */
  roles: string[];
  createdAt: string;
  updatedAt: string;
  /** False for the author of a map who has never logged in. */
  registered: boolean;
  /** Maps of which the player is the author. */
  mapCount: number;
  /** Runs of the player that were not removed. */
  recordCount: number;
  /** Empty for now. */
  trophies: {
    [key: string]: any;
  }[];
};
export type Pagination = {
  /** Everything that matches, on all pages. */
  total: number;
  /** Counted from 1. */
  page: number;
  /** The most that one page holds. */
  limit: number;
  /** How many pages there are. */
  pages: number;
};
export type PlayerPage = {
  success: true;
  data: Player[];
  pagination: Pagination;
};
export type PlayerSortBy = "name" | "level" | "createdAt" | "updatedAt";
export type PlayerAnswer = {
  success: true;
  data: Player;
};
export type PlayerUpdate = {
  /** A jpeg, png or webp picture, at most 1 MB and 4096×4096, from the player, a moderator or an admin. It is served as WebP, at most 256 pixels wide. */
  skinImage?: Blob;
  /** All roles of the player from now on, as a JSON list of strings, from an admin alone. Each has 1 to 24 letters, digits, hyphens or spaces, and is trimmed and lower-cased. admin, moderator and validator give rights; any other is a badge, which some player has to have already. Nobody changes their own roles. */
  roles?: string;
  /** That of the player as the caller has read it. Without it the change is made whatever the player is now: roles that another admin has revoked meanwhile come back. */
  updatedAt?: string;
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
  | "appeal_answered"
  | "webhook_off";
export type DecisionKind =
  | "dismiss"
  | "remove_record"
  | "restore_record"
  | "remove_map"
  | "restore_map"
  | "unrank_map"
  | "rank_map"
  | "warn"
  | "ban"
  | "unban"
  | "merge"
  | "reopen"
  | "withdraw_warning";
export type InboxAppeal = "granted" | "kept" | "asked";
export type InboxLinkKind =
  "record" | "leaderboard" | "player" | "decision" | "webhooks";
export type InboxLink = {
  kind: InboxLinkKind;
  /** The `_id` of the record, the map, the player or the decision. Null for `webhooks`. */
  id: string | null;
};
export type InboxGroup = {
  /** The number of the newest notification of the group in the caller's inbox. It changes when the group grows, or when the player is merged. */
  _id: string;
  kind: NotificationKind;
  /** The map that the notifications are about. A new version is named by its own `_id`. */
  map: MapRef | null;
  /** Of `report_decided`: whom the newest decision concerns, the player of the record, the author of the map, or the player. Null where that is not known. */
  player: PlayerRef | null;
  /** The record of the newest notification. It may be removed by now. */
  recordId: string | null;
  /** Of that record, in milliseconds. */
  finishTime: number | null;
  /** The caller's time that this record has passed, in milliseconds. Of equal times, the one that was set earlier is ahead. */
  ownFinishTime: number | null;
  /** Of `moderated` and `appeal_answered`: the decision about the caller that the newest notification is about, which `GET /decisions/{id}` has. */
  decisionId: string | null;
  /** Of `report_decided` and `moderated`: what was decided last. A report was not confirmed by `dismiss`. */
  decision: DecisionKind | null;
  /** Of `report_decided` and `moderated`: the reason of that decision. */
  publicReason: PublicReason | null;
  /** Of `appeal_answered`: what was answered last. */
  appeal: InboxAppeal | null;
  /** What shows the group now. Null where nothing does any more. */
  link: InboxLink | null;
  /** The caller's place before the oldest notification of the group, counted from 1. */
  from: number | null;
  /** The caller's place after the newest notification of the group. */
  to: number | null;
  /** What the records that passed the caller have cost in points on the map, to the tenth. Null where that is nothing, and until the points are computed, which takes some seconds. */
  pointsLost: number | null;
  /** How many notifications the group has. */
  count: number;
  /** At most three different players who caused them, the latest first. */
  actors: PlayerRef[];
  /** How many different players caused them. */
  actorCount: number;
  /** When the newest notification was caused. */
  at: string;
  read: boolean;
  /** True when what caused the notifications was removed since. */
  removedSince: boolean;
};
export type InboxPagination = {
  /** The most that one page holds. */
  limit: number;
  /** What `before` is for the next page, null on the last one. */
  next: string | null;
};
export type InboxPage = {
  success: true;
  data: InboxGroup[];
  pagination: InboxPagination;
};
export type InboxCount = {
  /** How many groups are unread. */
  unread: number;
};
export type InboxCountAnswer = {
  success: true;
  data: InboxCount;
};
export type InboxRead = {
  /** The `_id` of the newest group that the caller has seen. */
  through?: string;
  /** The `_id` of one group. */
  group?: string;
};
export type Delivery = "off" | "inbox" | "browser";
export type InboxSetting = {
  kind: NotificationKind;
  delivery: Delivery;
};
export type InboxSettingsAnswer = {
  success: true;
  data: InboxSetting[];
};
export type InboxSettingsUpdate = {
  settings: InboxSetting[];
};
export type Follows = {
  players: PlayerRef[];
  maps: MapRef[];
};
export type FollowsAnswer = {
  success: true;
  data: Follows;
};
export type Follow = {
  following: boolean;
};
export type FollowAnswer = {
  success: true;
  data: Follow;
};
export const {
  useRequestRoomLinkQuery,
  useGetLoginStatusQuery,
  useVerifyCodeMutation,
  useRefreshTokenQuery,
  useLogoutMutation,
  useSearchMapsQuery,
  usePopularTagsQuery,
  useGetMapQuery,
  useGetMapDataQuery,
  useListMapVersionsQuery,
  useListRecordsQuery,
  useGetRecordQuery,
  useGetRecordVerificationQuery,
  useListWorldRecordsQuery,
  useGetMapHistoryQuery,
  useGetProgressQuery,
  useGetGoalsQuery,
  usePutGoalAsideMutation,
  useTakeUpGoalMutation,
  useListStartersQuery,
  useComparePlayersQuery,
  useGetPlayerStatisticsQuery,
  useListImprovementsQuery,
  useGetImprovementQuery,
  useListRankingsQuery,
  useGetPlayerPointsQuery,
  useGetPlayerPointsHistoryQuery,
  useGetMapPointsQuery,
  useSubmitRecordMutation,
  useGetStatsQuery,
  useSearchPlayersQuery,
  useGetPlayerQuery,
  useUpdatePlayerMutation,
  useListInboxQuery,
  useCountInboxQuery,
  useReadInboxMutation,
  useGetInboxSettingsQuery,
  useUpdateInboxSettingsMutation,
  useListFollowsQuery,
  useGetPlayerFollowQuery,
  useFollowPlayerMutation,
  useUnfollowPlayerMutation,
  useGetMapFollowQuery,
  useFollowMapMutation,
  useUnfollowMapMutation,
} = injectedRtkApi;
