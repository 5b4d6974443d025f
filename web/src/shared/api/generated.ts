import { baseApi as api } from "./base";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
      query: () => ({ url: `/auth/logout`, method: "POST" }),
    }),
    refreshToken: build.query<RefreshTokenApiResponse, RefreshTokenApiArg>({
      query: () => ({ url: `/auth/refresh-token` }),
    }),
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
    downloadReplay: build.query<
      DownloadReplayApiResponse,
      DownloadReplayApiArg
    >({
      query: (queryArg) => ({
        url: `/download/replays/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    popularTags: build.query<PopularTagsApiResponse, PopularTagsApiArg>({
      query: () => ({ url: `/maps/popular-tags` }),
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
          sortBy: queryArg.sortBy,
          sortDir: queryArg.sortDir,
          page: queryArg.page,
          limit: queryArg.limit,
        },
      }),
    }),
    submitMap: build.mutation<SubmitMapApiResponse, SubmitMapApiArg>({
      query: (queryArg) => ({
        url: `/maps/submit`,
        method: "POST",
        body: queryArg.mapSubmission,
      }),
    }),
    getMap: build.query<GetMapApiResponse, GetMapApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}`,
      }),
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
    listRecords: build.query<ListRecordsApiResponse, ListRecordsApiArg>({
      query: (queryArg) => ({
        url: `/records`,
        params: {
          map: queryArg.map,
          player: queryArg.player,
          sortBy: queryArg.sortBy,
          sortDir: queryArg.sortDir,
          offset: queryArg.offset,
          limit: queryArg.limit,
        },
      }),
    }),
    submitRecord: build.mutation<SubmitRecordApiResponse, SubmitRecordApiArg>({
      query: (queryArg) => ({
        url: `/records/submit`,
        method: "POST",
        body: queryArg.recordSubmission,
      }),
    }),
    getRecord: build.query<GetRecordApiResponse, GetRecordApiArg>({
      query: (queryArg) => ({
        url: `/records/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    getStats: build.query<GetStatsApiResponse, GetStatsApiArg>({
      query: () => ({ url: `/stats` }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedApi };
export type LogoutApiResponse = /** status 200 Logged out. */ LogoutAnswer;
export type LogoutApiArg = void;
export type RefreshTokenApiResponse =
  /** status 200 A new access token. */ RefreshAnswer;
export type RefreshTokenApiArg = void;
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
export type DownloadReplayApiResponse =
  /** status 200 The file. A part of it (206) is given where a Range is asked for. */ Blob;
export type DownloadReplayApiArg = {
  /** The run's `_id`. */
  id: string;
};
export type PopularTagsApiResponse =
  /** status 200 Tags, the most used first. */ TagList;
export type PopularTagsApiArg = void;
export type SearchMapsApiResponse = /** status 200 A page of maps. */ MapPage;
export type SearchMapsApiArg = {
  /** Any part of the map's name, without regard to letter case or accents. */
  name?: string;
  /** Any part of the author's name, without regard to letter case or accents. */
  author?: string;
  /** The `_id` of the author. */
  authorId?: string;
  /** Maps of this mode alone. An unknown mode is refused. */
  gameMode?: GameMode;
  /** Tags joined by commas, of which a map must have all. Letter case and spaces around a tag don't matter. */
  tags?: string;
  /** What the maps are sorted by. The default is createdAt. */
  sortBy?: MapSortBy;
  /** The default is asc for name and desc for the others. */
  sortDir?: SortDir;
  /** Counted from 1. */
  page?: number;
  /** Maps on a page. */
  limit?: number;
};
export type SubmitMapApiResponse = /** status 201 The new map. */ MapAnswer;
export type SubmitMapApiArg = {
  mapSubmission: MapSubmission;
};
export type GetMapApiResponse = /** status 200 The map. */ MapAnswer;
export type GetMapApiArg = {
  /** The map's `_id`. */
  id: string;
};
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
export type ListRecordsApiResponse =
  /** status 200 A page of runs. */ RecordPage;
export type ListRecordsApiArg = {
  /** The map's `_id`. */
  map?: string;
  /** The `_id` of a player, whose runs alone are listed. On a leaderboard that is one row with its rank, or none. */
  player?: string;
  /** What the runs are sorted by: `updatedAt`, which is the default, or `finishTime,finishTimeStamp`, the one order of leaderboards. Runs that are equal in it come in the order of their `_id`. */
  sortBy?: RecordSortBy;
  /** `asc` or `desc` for `updatedAt`, whose default is desc; `asc,asc` or `desc,desc` for `finishTime,finishTimeStamp`, whose default is asc,asc. A leaderboard takes `asc,asc` alone. */
  sortDir?: RecordSortDir;
  /** How many rows come before the first of the page. */
  offset?: number;
  /** Rows on a page. */
  limit?: number;
};
export type SubmitRecordApiResponse =
  /** status 201 What came of it. */ SubmitAnswer;
export type SubmitRecordApiArg = {
  recordSubmission: RecordSubmission;
};
export type GetRecordApiResponse = /** status 200 The run. */ RecordAnswer;
export type GetRecordApiArg = {
  /** The run's `_id`. */
  id: string;
};
export type GetStatsApiResponse = /** status 200 The totals. */ StatsAnswer;
export type GetStatsApiArg = void;
export type LogoutAnswer = {
  /** Always true. */
  success: boolean;
};
export type FieldError = {
  field: string;
  message: string;
};
export type Failure = {
  /** Stable, for programs. */
  code: string;
  /** What a program needs to go on: the existing thing's _id where it exists already. */
  data?: {
    [key: string]: any;
  };
  /** Only where fields are at fault. */
  errors?: FieldError[];
  /** A sentence for the player. */
  message: string;
  /** Names the request in the server's log. */
  requestId: string;
  /** Always false. */
  success: boolean;
};
export type LoggedInPlayer = {
  /** A UUID. */
  _id: string;
  /** The level in the game, as of the last login. */
  level: number;
  /** As the game spelled it at the last login. */
  name: string;
  /** In lower case. admin, moderator and validator give rights; any other is a badge. */
  roles: string[];
  /** Base colour of the game skin as #rrggbb, null when unknown. */
  skinColor: string | null;
  /** Path of the avatar image, null when there is none. */
  skinImageUrl: string | null;
};
export type RefreshAnswer = {
  /** A JWT that counts for 15 minutes, for the Authorization header (Bearer). */
  accessToken: string;
  /** Always true. */
  success: boolean;
  user: LoggedInPlayer;
};
export type RoomLink = {
  /** How long the session still lives, in seconds. */
  expiresIn: number;
  /** Lets its holder into the room: for the player alone. */
  roomLink: string;
  /** Names the session for getLoginStatus and verifyCode. A UUID. */
  sessionId: string;
  /** Always true. */
  success: boolean;
};
export type LoginState =
  "pending" | "code_provided" | "success" | "failed" | "timeout" | "invalid";
export type LoginStatus = {
  /** A sentence for the player. */
  message: string;
  status: LoginState;
};
export type LoginStatusAnswer = {
  /** How long the session still lives, in seconds; 0 when it has ended. */
  expiresIn: number;
  status: LoginStatus;
  /** Always true. */
  success: boolean;
};
export type LoginAnswer = {
  /** A JWT that counts for 15 minutes, for the Authorization header (Bearer). */
  accessToken: string;
  player: LoggedInPlayer;
  /** Always true. */
  success: boolean;
};
export type CodeEntry = {
  /** Six digits, as a string: leading zeros count. */
  code: string;
  /** As requestRoomLink gave it. */
  sessionId: string;
};
export type TagList = {
  data: string[];
  /** Always true. */
  success: boolean;
};
export type PlayerRef = {
  /** A UUID. */
  _id: string;
  name: string;
  /** Base colour of the game skin as #rrggbb, null when unknown. */
  skinColor: string | null;
  /** Path of the avatar image, null when there is none. */
  skinImageUrl: string | null;
};
export type GameMode =
  "Classic" | "Grapple" | "VTOL" | "Arrows" | "Death Arrows" | "Simple";
export type MedalTimes = {
  author: number | null;
  bronze: number | null;
  gold: number | null;
  silver: number | null;
};
export type RemixCredit = {
  /** Name of the original's author in the game. */
  author: string;
  /** The game's own id of the original. */
  bonkDbId: number;
  name: string;
};
export type Map = {
  /** A UUID. */
  _id: string;
  author: PlayerRef;
  /** The same as bonkDbId. */
  bonkDBID: number;
  /** The game's own id of the map. */
  bonkDbId: number;
  /** Names of game accounts that helped to make the map. */
  contributors: string[];
  createdAt: string;
  /** Plain text. */
  description: string;
  gameMode: GameMode;
  /** Path of the picture, WebP, at most 1600 pixels wide. */
  imageUrl: string;
  medalTimes: MedalTimes;
  name: string;
  /** Runs handed in on the map that were not removed. */
  recordCount: number;
  /** The map that this one was made from, or null. */
  remixOf: RemixCredit | null;
  submittedBy: PlayerRef;
  tags: string[];
  /** Path of the picture, WebP, at most 480 pixels wide. */
  thumbnailUrl: string;
  updatedAt: string;
};
export type Pagination = {
  /** The most that one page holds. */
  limit: number;
  /** Counted from 1. */
  page: number;
  /** How many pages there are. */
  pages: number;
  /** Everything that matches, on all pages. */
  total: number;
};
export type MapPage = {
  data: Map[];
  pagination: Pagination;
  /** Always true. */
  success: boolean;
};
export type MapSortBy = "name" | "createdAt" | "recordCount";
export type SortDir = "asc" | "desc";
export type MapAnswer = {
  data: Map;
  /** Always true. */
  success: boolean;
};
export type MapSubmission = {
  /** A jpeg, png or webp picture, at most 1 MB and 4096×4096. */
  mapImage: Blob;
  /** A MapMetadata as JSON text, at most 64 KiB. Left out, it is an empty object. */
  metadata?: string;
  /** The .lbReplay file, at most 5 MB. */
  replayFile: Blob;
};
export type Player = {
  /** A UUID. */
  _id: string;
  createdAt: string;
  /** The level in the game, as of the last login. */
  level: number;
  /** Maps of which the player is the author. */
  mapCount: number;
  /** As the game spelled it at the last login. */
  name: string;
  /** Runs of the player that were not removed. */
  recordCount: number;
  /** False for the author of a map who has never logged in. */
  registered: boolean;
  /** In lower case. admin, moderator and validator give rights; any other is a badge. */
  roles: string[];
  /** Base colour of the game skin as #rrggbb, null when unknown. */
  skinColor: string | null;
  /** Path of the avatar image, WebP, at most 256 pixels wide; null when there is none. */
  skinImageUrl: string | null;
  /** Empty for now. */
  trophies: {
    [key: string]: any;
  }[];
  updatedAt: string;
};
export type PlayerPage = {
  data: Player[];
  pagination: Pagination;
  /** Always true. */
  success: boolean;
};
export type PlayerSortBy = "name" | "level" | "createdAt" | "updatedAt";
export type PlayerAnswer = {
  data: Player;
  /** Always true. */
  success: boolean;
};
export type PlayerUpdate = {
  /** All roles of the player from now on, as a JSON list of strings, from an admin alone. Each has 1 to 24 letters, digits, hyphens or spaces, and is trimmed and lower-cased. admin, moderator and validator give rights; any other is a badge. */
  roles?: string;
  /** A jpeg, png or webp picture, at most 1 MB and 4096×4096, from the player, a moderator or an admin. It is served as WebP, at most 256 pixels wide. */
  skinImage?: Blob;
};
export type MapRef = {
  /** A UUID. */
  _id: string;
  name: string;
};
export type Medal = "author" | "gold" | "silver" | "bronze";
export type Record = {
  /** A UUID. */
  _id: string;
  /** When the run was submitted. */
  createdAt: string;
  /** In whole milliseconds, on one of the game's 30 frames a second. */
  finishTime: number;
  /** When the run was made, as the replay says. */
  finishTimeStamp: string;
  map: MapRef;
  /** What the finish time earns by the map's medal times, or null. */
  medal: Medal | null;
  /** True when it is the player's best run on the map. */
  personalBest: boolean;
  player: PlayerRef;
  /** The place on the map's leaderboard, counted from 1. Only on a leaderboard, and on one run when it is a personal best. */
  rank?: number;
  /** The same as createdAt. Nothing of a run changes. */
  updatedAt: string;
};
export type OffsetPagination = {
  /** The most that one page holds. */
  limit: number;
  /** How many rows come before the first of the page. */
  offset: number;
  /** Everything that matches, on all pages. */
  total: number;
};
export type RecordPage = {
  data: Record[];
  pagination: OffsetPagination;
  /** Always true. */
  success: boolean;
};
export type RecordSortBy = "updatedAt" | "finishTime,finishTimeStamp";
export type RecordSortDir = "asc" | "desc" | "asc,asc" | "desc,desc";
export type SubmittedRecord = {
  /** A UUID. */
  _id: string;
  /** When the run was submitted. */
  createdAt: string;
  /** In whole milliseconds, on one of the game's 30 frames a second. */
  finishTime: number;
  /** When the run was made, as the replay says. */
  finishTimeStamp: string;
  /** The map's `_id`. */
  map: string;
  /** What the finish time earns by the map's medal times, or null. */
  medal: Medal | null;
  /** True when it is the player's best run on the map. */
  personalBest: boolean;
  /** The player's `_id`. */
  player: string;
  /** The place on the map's leaderboard, counted from 1, when it is a personal best. */
  rank?: number;
  /** The same as createdAt. Nothing of a run changes. */
  updatedAt: string;
};
export type Submitted = {
  /** True when this run is the player's best on the map now. */
  personalBest: boolean;
  /** The finish time of the player's best run before, in milliseconds, null when there was none. */
  previousBest: number | null;
  /** The player's place on the map's leaderboard now, by their best run, counted from 1. */
  rank: number;
  record: SubmittedRecord;
  /** True when this run is the first of the map's leaderboard now. */
  worldRecord: boolean;
};
export type SubmitAnswer = {
  data: Submitted;
  /** Always true. */
  success: boolean;
};
export type RecordSubmission = {
  /** The `_id` of the map that the submitter has selected. Left out or empty, the replay decides. */
  map?: string;
  /** The .lbReplay file, at most 1 MB. */
  replayFile: Blob;
};
export type RecordAnswer = {
  data: Record;
  /** Always true. */
  success: boolean;
};
export type Stats = {
  totalMaps: number;
  /** Players who have logged in. */
  totalPlayers: number;
  /** Runs, without removed ones and those on maps that were taken down. */
  totalRecords: number;
};
export type StatsAnswer = {
  data: Stats;
  /** Always true. */
  success: boolean;
};
