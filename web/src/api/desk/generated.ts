import { baseApi as api } from "../baseQuery";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    searchListedMaps: build.query<
      SearchListedMapsApiResponse,
      SearchListedMapsApiArg
    >({
      query: (queryArg) => ({
        url: `/maps/listed`,
        params: {
          name: queryArg.name,
          page: queryArg.page,
          limit: queryArg.limit,
        },
      }),
    }),
    getListedMap: build.query<GetListedMapApiResponse, GetListedMapApiArg>({
      query: (queryArg) => ({
        url: `/maps/listed/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    editMap: build.mutation<EditMapApiResponse, EditMapApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}`,
        method: "PATCH",
        body: queryArg.mapEditForm,
      }),
    }),
    listMapEdits: build.query<ListMapEditsApiResponse, ListMapEditsApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}/edits`,
      }),
    }),
    undoMapEdit: build.mutation<UndoMapEditApiResponse, UndoMapEditApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}/edits/${encodeURIComponent(String(queryArg.edit))}/undo`,
        method: "POST",
        body: queryArg.undoReason,
      }),
    }),
    drawMap: build.mutation<DrawMapApiResponse, DrawMapApiArg>({
      query: (queryArg) => ({
        url: `/maps/drawing`,
        method: "POST",
        body: queryArg.mapDrawingRequest,
      }),
    }),
    submitMap: build.mutation<SubmitMapApiResponse, SubmitMapApiArg>({
      query: (queryArg) => ({
        url: `/maps/submit`,
        method: "POST",
        body: queryArg.mapSubmission,
      }),
    }),
    getRecordEffects: build.query<
      GetRecordEffectsApiResponse,
      GetRecordEffectsApiArg
    >({
      query: (queryArg) => ({
        url: `/records/${encodeURIComponent(String(queryArg.id))}/effects`,
      }),
    }),
    getRecordEvidence: build.query<
      GetRecordEvidenceApiResponse,
      GetRecordEvidenceApiArg
    >({
      query: (queryArg) => ({
        url: `/desk/records/${encodeURIComponent(String(queryArg.id))}/verification`,
      }),
    }),
    getHidingEffects: build.query<
      GetHidingEffectsApiResponse,
      GetHidingEffectsApiArg
    >({
      query: (queryArg) => ({
        url: `/players/${encodeURIComponent(String(queryArg.id))}/records/effects`,
      }),
    }),
    getMapEffects: build.query<GetMapEffectsApiResponse, GetMapEffectsApiArg>({
      query: (queryArg) => ({
        url: `/maps/${encodeURIComponent(String(queryArg.id))}/effects`,
      }),
    }),
    createReport: build.mutation<CreateReportApiResponse, CreateReportApiArg>({
      query: (queryArg) => ({
        url: `/reports`,
        method: "POST",
        body: queryArg.reportRequest,
      }),
    }),
    listCases: build.query<ListCasesApiResponse, ListCasesApiArg>({
      query: (queryArg) => ({
        url: `/desk/cases`,
        params: {
          kind: queryArg.kind,
          state: queryArg.state,
          assigned: queryArg.assigned,
          sort: queryArg.sort,
          page: queryArg.page,
          limit: queryArg.limit,
        },
      }),
    }),
    getCase: build.query<GetCaseApiResponse, GetCaseApiArg>({
      query: (queryArg) => ({
        url: `/desk/cases/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    claimCase: build.mutation<ClaimCaseApiResponse, ClaimCaseApiArg>({
      query: (queryArg) => ({
        url: `/desk/cases/${encodeURIComponent(String(queryArg.id))}/claim`,
        method: "POST",
        body: queryArg.claimRequest,
      }),
    }),
    releaseCase: build.mutation<ReleaseCaseApiResponse, ReleaseCaseApiArg>({
      query: (queryArg) => ({
        url: `/desk/cases/${encodeURIComponent(String(queryArg.id))}/claim`,
        method: "DELETE",
      }),
    }),
    decideCase: build.mutation<DecideCaseApiResponse, DecideCaseApiArg>({
      query: (queryArg) => ({
        url: `/desk/cases/${encodeURIComponent(String(queryArg.id))}/decisions`,
        method: "POST",
        body: queryArg.decisionRequest,
      }),
    }),
    decide: build.mutation<DecideApiResponse, DecideApiArg>({
      query: (queryArg) => ({
        url: `/desk/decisions`,
        method: "POST",
        body: queryArg.directDecisionRequest,
      }),
    }),
    undoDecision: build.mutation<UndoDecisionApiResponse, UndoDecisionApiArg>({
      query: (queryArg) => ({
        url: `/desk/decisions/${encodeURIComponent(String(queryArg.id))}/undo`,
        method: "POST",
        body: queryArg.undoRequest,
      }),
    }),
    listAppeals: build.query<ListAppealsApiResponse, ListAppealsApiArg>({
      query: (queryArg) => ({
        url: `/desk/appeals`,
        params: {
          state: queryArg.state,
          page: queryArg.page,
          limit: queryArg.limit,
        },
      }),
    }),
    answerAppeal: build.mutation<AnswerAppealApiResponse, AnswerAppealApiArg>({
      query: (queryArg) => ({
        url: `/desk/appeals/${encodeURIComponent(String(queryArg.id))}/answer`,
        method: "POST",
        body: queryArg.appealAnswerRequest,
      }),
    }),
    listFlagPrecision: build.query<
      ListFlagPrecisionApiResponse,
      ListFlagPrecisionApiArg
    >({
      query: () => ({ url: `/desk/flags/precision` }),
    }),
    listAudit: build.query<ListAuditApiResponse, ListAuditApiArg>({
      query: (queryArg) => ({
        url: `/desk/audit`,
        params: {
          actor: queryArg.actor,
          subject: queryArg.subject,
          action: queryArg.action,
          from: queryArg["from"],
          to: queryArg.to,
          before: queryArg.before,
          limit: queryArg.limit,
        },
      }),
    }),
    getOwnDecision: build.query<
      GetOwnDecisionApiResponse,
      GetOwnDecisionApiArg
    >({
      query: (queryArg) => ({
        url: `/decisions/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    listOwnDecisions: build.query<
      ListOwnDecisionsApiResponse,
      ListOwnDecisionsApiArg
    >({
      query: () => ({ url: `/me/decisions` }),
    }),
    createAppeal: build.mutation<CreateAppealApiResponse, CreateAppealApiArg>({
      query: (queryArg) => ({
        url: `/appeals`,
        method: "POST",
        body: queryArg.appealRequest,
      }),
    }),
    addAppealMessage: build.mutation<
      AddAppealMessageApiResponse,
      AddAppealMessageApiArg
    >({
      query: (queryArg) => ({
        url: `/appeals/${encodeURIComponent(String(queryArg.id))}/messages`,
        method: "POST",
        body: queryArg.appealMessageRequest,
      }),
    }),
    getModeration: build.query<GetModerationApiResponse, GetModerationApiArg>({
      query: () => ({ url: `/moderation` }),
    }),
    getRecordModeration: build.query<
      GetRecordModerationApiResponse,
      GetRecordModerationApiArg
    >({
      query: (queryArg) => ({
        url: `/moderation/records/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedDeskApi };
export type SearchListedMapsApiResponse =
  /** status 200 A page of maps. */ ListedMapPage;
export type SearchListedMapsApiArg = {
  /** Any part of the map's name, without regard to letter case, accents and kinds of quotation marks; `_` and dashes are blanks. A term of one or two characters matches the beginnings of words. Each character of a script without blanks is a word. */
  name?: string;
  /** Counted from 1. */
  page?: number;
  /** Maps on a page. */
  limit?: number;
};
export type GetListedMapApiResponse =
  /** status 200 The map. */ ListedMapAnswer;
export type GetListedMapApiArg = {
  /** The `_id` in the list. */
  id: string;
};
export type EditMapApiResponse = /** status 200 The changed map. */ MapAnswer;
export type EditMapApiArg = {
  /** The map's `_id`. */
  id: string;
  mapEditForm: MapEditForm;
};
export type ListMapEditsApiResponse = /** status 200 The edits. */ MapEditList;
export type ListMapEditsApiArg = {
  /** The map's `_id`. */
  id: string;
};
export type UndoMapEditApiResponse =
  /** status 200 The changed map. */ MapAnswer;
export type UndoMapEditApiArg = {
  /** The map's `_id`. */
  id: string;
  /** The edit's `_id`. */
  edit: string;
  undoReason: UndoReason;
};
export type DrawMapApiResponse =
  /** status 200 The drawing, without scripts, styles and links. */ Blob;
export type DrawMapApiArg = {
  mapDrawingRequest: MapDrawingRequest;
};
export type SubmitMapApiResponse =
  | /** status 200 The updated map. */ MapAnswer
  | /** status 201 The new map, or the new version of a map. */ MapAnswer;
export type SubmitMapApiArg = {
  mapSubmission: MapSubmission;
};
export type GetRecordEffectsApiResponse =
  /** status 200 The effects. */ RecordEffectsAnswer;
export type GetRecordEffectsApiArg = {
  /** The record's `_id`. */
  id: string;
};
export type GetRecordEvidenceApiResponse =
  /** status 200 The checks. */ VerificationAnswer;
export type GetRecordEvidenceApiArg = {
  /** The record's `_id`. */
  id: string;
};
export type GetHidingEffectsApiResponse =
  /** status 200 The effects. */ HidingEffectsAnswer;
export type GetHidingEffectsApiArg = {
  /** The player's `_id`. */
  id: string;
};
export type GetMapEffectsApiResponse =
  /** status 200 The effects. */ MapEffectsAnswer;
export type GetMapEffectsApiArg = {
  /** The map's `_id`. */
  id: string;
};
export type CreateReportApiResponse =
  /** status 201 The report. */ ReportAnswer;
export type CreateReportApiArg = {
  reportRequest: ReportRequest;
};
export type ListCasesApiResponse = /** status 200 A page of cases. */ CasePage;
export type ListCasesApiArg = {
  /** Cases about one kind of thing alone. */
  kind?: SubjectKind;
  /** Closed cases are listed for two years. */
  state?: "open" | "closed";
  /** Open cases that the caller has claimed, that nobody has claimed, or that somebody has. */
  assigned?: "mine" | "free" | "claimed";
  /** By priority, the highest first, of equal ones the oldest first; or by age, the oldest first. Closed cases by `age` start with the last closed one. */
  sort?: "priority" | "age";
  /** Counted from 1. */
  page?: number;
  /** Rows on a page. */
  limit?: number;
};
export type GetCaseApiResponse = /** status 200 The case. */ CaseAnswer;
export type GetCaseApiArg = {
  /** The case's `_id`. */
  id: string;
};
export type ClaimCaseApiResponse = /** status 200 The claim. */ ClaimAnswer;
export type ClaimCaseApiArg = {
  /** The case's `_id`. */
  id: string;
  claimRequest: ClaimRequest;
};
export type ReleaseCaseApiResponse = unknown;
export type ReleaseCaseApiArg = {
  /** The case's `_id`. */
  id: string;
};
export type DecideCaseApiResponse =
  /** status 201 The decision. */ DecisionAnswer;
export type DecideCaseApiArg = {
  /** The case's `_id`. */
  id: string;
  decisionRequest: DecisionRequest;
};
export type DecideApiResponse = /** status 201 The decision. */ DecisionAnswer;
export type DecideApiArg = {
  directDecisionRequest: DirectDecisionRequest;
};
export type UndoDecisionApiResponse =
  /** status 201 The new decision. */ DecisionAnswer;
export type UndoDecisionApiArg = {
  /** The decision's `_id`. */
  id: string;
  undoRequest: UndoRequest;
};
export type ListAppealsApiResponse =
  /** status 200 A page of appeals. */ DeskAppealPage;
export type ListAppealsApiArg = {
  /** Answered ones are listed newest first. */
  state?: "open" | "answered";
  /** Counted from 1. */
  page?: number;
  /** Rows on a page. */
  limit?: number;
};
export type AnswerAppealApiResponse =
  /** status 200 The appeal as answered. */ DeskAppealAnswer;
export type AnswerAppealApiArg = {
  /** The appeal's `_id`. */
  id: string;
  appealAnswerRequest: AppealAnswerRequest;
};
export type ListFlagPrecisionApiResponse =
  /** status 200 Every kind. */ FlagPrecisionAnswer;
export type ListFlagPrecisionApiArg = void;
export type ListAuditApiResponse = /** status 200 A page of rows. */ AuditPage;
export type ListAuditApiArg = {
  /** A player's `_id`, an operator's account, or the name of a service. */
  actor?: string;
  /** The `_id` of what was changed. */
  subject?: string;
  /** As the document of permissions names it. */
  action?: string;
  /** Not before this time. */
  from?: string;
  /** Before this time. */
  to?: string;
  /** The `_id` of the last row of the page before. */
  before?: string;
  /** Rows on a page. */
  limit?: number;
};
export type GetOwnDecisionApiResponse =
  /** status 200 The decision. */ OwnDecisionAnswer;
export type GetOwnDecisionApiArg = {
  /** The decision's `_id`. */
  id: string;
};
export type ListOwnDecisionsApiResponse =
  /** status 200 The decisions. */ OwnDecisionsAnswer;
export type ListOwnDecisionsApiArg = void;
export type CreateAppealApiResponse =
  /** status 201 The appeal. */ AppealAnswer;
export type CreateAppealApiArg = {
  appealRequest: AppealRequest;
};
export type AddAppealMessageApiResponse =
  /** status 201 The appeal. */ AppealAnswer;
export type AddAppealMessageApiArg = {
  /** The appeal's `_id`. */
  id: string;
  appealMessageRequest: AppealMessageRequest;
};
export type GetModerationApiResponse =
  /** status 200 The numbers. */ ModerationAnswer;
export type GetModerationApiArg = void;
export type GetRecordModerationApiResponse =
  /** status 200 Whether it is being looked at. False for an unknown record. */ RecordModerationAnswer;
export type GetRecordModerationApiArg = {
  /** The record's `_id`. */
  id: string;
};
export type ListedMap = {
  /** A UUID, which is not that of the map on the site. */
  _id: string;
  /** The game's own id of the map. */
  bonkDbId: number;
  name: string;
  /** Names of accounts of the game. They may be unknown to the site. */
  authors: string[];
  /** An https address about the map, null when there is none. It leads to another site. */
  page: string | null;
  importedAt: string;
  updatedAt: string;
  /** The `_id` of the newest version of the map, which may be removed; null while it has no replay. In the list it is null. */
  mapId: string | null;
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
export type ListedMapPage = {
  success: true;
  data: ListedMap[];
  pagination: Pagination;
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
export type ListedMapAnswer = {
  success: true;
  data: ListedMap;
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
export type MapAnswer = {
  success: true;
  data: ParkourMap;
};
export type RequestedMedalTimes = {
  author?: number | null;
  gold?: number | null;
  silver?: number | null;
  bronze?: number | null;
};
export type MapMetadata = {
  /** Plain text, at most 2,000 characters. No control characters but line breaks and tabs. Bidirectional controls and zero-width characters are removed. */
  description?: string | null;
  /** At most 10, each at most 24 characters. They are trimmed and lower-cased; empty ones and repetitions are dropped without an error. A tag has no comma, no control character and no invisible one. */
  tags?: string[] | null;
  /** From the map's author alone. The author time always is the replay's finish time, whatever is sent. Gold, silver and bronze default to 1.06, 1.2 and 1.5 times of it, rounded up to whole milliseconds. Times are snapped to the nearest of 30 frames a second, and must not fall from author over gold and silver to bronze. */
  medalTimes?: RequestedMedalTimes | null;
};
export type MapEditMetadata = MapMetadata & {
  /** That of the map as the caller has read it. */
  updatedAt: string;
};
export type MapEditForm = {
  /** A jpeg, png or webp picture, at most 1 MB and 4096×4096. */
  mapImage?: Blob;
  /** A field of JSON text, at most 64 KiB. */
  metadata: MapEditMetadata;
};
export type MapEditValues = {
  description: string;
  tags: string[];
  medalTimes: MedalTimes;
};
export type MapEdit = {
  /** A UUID. */
  _id: string;
  at: string;
  editor: PlayerRef;
  /** What the edit changed. */
  fields: ("description" | "tags" | "medalTimes" | "picture")[];
  before: MapEditValues;
  after: MapEditValues;
  /** The _id of the edit that this one undoes, or null. */
  undoes: string | null;
  /** Why it was undone, or null. */
  reason: string | null;
};
export type MapEditList = {
  success: true;
  data: MapEdit[];
};
export type UndoReason = {
  /** Why, at most 500 characters. */
  reason: string;
};
export type MapDrawingRequest = {
  /** The .lbReplay file, at most 5 MB. */
  replayFile: Blob;
  /** As in the metadata of a submission. Left out, it is Classic. */
  gameMode?: GameMode;
};
export type MapSubmissionMetadata = MapMetadata & {
  /** The mode of a map for which neither its data nor the label of the replay names a parkour mode. Ignored otherwise. */
  gameMode?: GameMode | null;
  /** From a validator, moderator or admin: why the versions of the map by other players than its author are wrong, at most 500 characters. Refused from others (403 `not_allowed`), and ignored where there are none. */
  wrongOwnerReason?: string | null;
};
export type MapSubmission = {
  /** The .lbReplay file, at most 5 MB. */
  replayFile: Blob;
  /** A jpeg, png or webp picture, at most 1 MB and 4096×4096. It may be left out where `useDrawing` is `true`. */
  mapImage?: Blob;
  /** With `true` and without `mapImage`, the map's picture is its drawing. */
  useDrawing?: "true" | "false";
  /** A field of JSON text, at most 64 KiB. Left out, it is an empty object. */
  metadata?: MapSubmissionMetadata;
};
export type WorldRecordSuccessor = {
  /** The record's UUID. */
  _id: string;
  /** Whole milliseconds. */
  finishTime: number;
  player: PlayerRef;
};
export type RestorationEffects = {
  /** The place on the leaderboard. Null where it would be no personal best. */
  rank: number | null;
  /** How many players would move down a place. */
  movedDown: number;
  /** Whether it would be the map's world record. */
  worldRecord: boolean;
  /** The world record that it would replace, which may be one of the same player. Null where there is none, or where it stays. */
  presentWorldRecord: WorldRecordSuccessor | null;
};
export type RecordEffects = {
  /** How many players would move up a place. */
  movedUp: number;
  /** Whether another record of the player would take the place on the leaderboard. */
  nextBest: boolean;
  /** Whether the record is the map's world record now. */
  worldRecord: boolean;
  /** The record that would be the map's world record then, which may be one of the same player. Null where there is none, or where it stays. */
  nextWorldRecord: WorldRecordSuccessor | null;
  /** What restoring the record would change. Null for one that is not removed. */
  restoration: RestorationEffects | null;
};
export type RecordEffectsAnswer = {
  success: true;
  data: RecordEffects;
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
export type HidingEffects = {
  /** Whether the player is hidden. The numbers are those of showing the player then. */
  hidden: boolean;
  /** The player's records that count, or would. */
  records: number;
  /** On how many leaderboards the player is, or would be. */
  maps: number;
  /** How many maps would lose the world record that they have, or have one of the player again. */
  worldRecords: number;
  /** How many of these would have one of another player, or have one now. */
  givenBack: number;
};
export type HidingEffectsAnswer = {
  success: true;
  data: HidingEffects;
};
export type MedalHolders = {
  author: number;
  gold: number;
  silver: number;
  bronze: number;
};
export type MapEffects = {
  /** Whether the map is removed. The numbers are those of its restoration then. */
  removed: boolean;
  records: number;
  /** Players on the leaderboard. */
  players: number;
  medals: MedalHolders;
};
export type MapEffectsAnswer = {
  success: true;
  data: MapEffects;
};
export type OwnReport = {
  _id: string;
  at: string;
};
export type ReportAnswer = {
  success: true;
  data: OwnReport;
};
export type SubjectKind = "record" | "map" | "player";
export type SubjectKey = {
  kind: SubjectKind;
  /** Its `_id`. */
  id: string;
};
export type ReportReason =
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
  | "other";
export type ReportRequest = {
  subject: SubjectKey;
  reason: ReportReason;
  /** At least 10 characters where the reason is `other`. */
  text?: string;
};
export type MapRef = {
  /** A UUID. */
  _id: string;
  name: string;
};
export type CaseSubject = {
  kind: SubjectKind;
  id: string;
  player: PlayerRef | null;
  map: MapRef | null;
  /** Of a record, in milliseconds. */
  finishTime: number | null;
};
export type Claim = {
  player: PlayerRef;
  until: string;
  /** True for a claim of the caller. */
  mine: boolean;
};
export type CaseSummary = {
  _id: string;
  subject: CaseSubject;
  state: "open" | "closed";
  /** About 20 for each reporter, more for those whose reports were confirmed, and 25 for each flag. */
  priority: number;
  /** How many players have reported it. */
  reports: number;
  /** How many automatic flags it has that are not silent. */
  flags: number;
  openedAt: string;
  closedAt: string | null;
  claim: Claim | null;
};
export type CasePage = {
  success: true;
  data: CaseSummary[];
  pagination: Pagination;
};
export type CaseReport = {
  _id: string;
  reporter: PlayerRef;
  /** The share of the last 20 reports of the reporter that were confirmed, null below 4. */
  accuracy: number | null;
  reason: ReportReason;
  text: string;
  at: string;
};
export type FlagKind =
  | "large_lead"
  | "new_account"
  | "same_moment"
  | "impossible_pace"
  | "copied_finish"
  | "relabelled_replay"
  | "old_version";
export type CaseFlag = {
  _id: string;
  kind: FlagKind;
  /** True where the kind was silent when the flag was made. */
  silent: boolean;
  numbers: {
    [key: string]: any;
  };
  at: string;
};
export type DeskNeighbour = {
  player: PlayerRef;
  recordId: string;
  /** Milliseconds. */
  finishTime: number;
  rank: number;
};
export type DeskRecord = {
  /** Milliseconds. */
  finishTime: number;
  finishTimeStamp: string;
  submittedAt: string;
  /** The place on the leaderboard, null for one that is not the personal best or is not shown. */
  rank: number | null;
  /** Rows of the leaderboard. */
  finishers: number;
  removed: boolean;
  /** True while all records of the player are hidden. */
  hidden: boolean;
  /** The rows next above and below the record on the leaderboard, of other players. */
  neighbours: DeskNeighbour[];
};
export type DeskMap = {
  removed: boolean;
  superseded: boolean;
  unranked: boolean;
  gameMapId: number;
};
export type DeskPlayer = {
  registered: boolean;
  banned: boolean;
  /** Null for a ban without an end, and where nobody is banned. */
  bannedUntil: string | null;
  roles: string[];
  createdAt: string;
};
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
export type DecisionState = "pending" | "carried_out" | "refused";
export type DecisionRefusal = {
  code: string;
  message: string;
};
export type Decision = {
  _id: string;
  kind: DecisionKind;
  subject: CaseSubject;
  by: PlayerRef | null;
  publicReason: PublicReason;
  text: string;
  state: DecisionState;
  refusal: DecisionRefusal | null;
  /** When a ban ends by itself, null for one without an end. */
  until: string | null;
  /** True for a ban that hides no records. */
  keepRecords: boolean;
  into: PlayerRef | null;
  caseId: string | null;
  /** The decision that this one undoes. */
  undoes: string | null;
  /** The decision that has undone this one. */
  undoneBy: string | null;
  /** Whether it can be undone now. */
  undoable: boolean;
  at: string;
};
export type Conflict = "own" | "reporter" | "neighbour";
export type CaseDetail = {
  _id: string;
  subject: CaseSubject;
  state: "open" | "closed";
  /** About 20 for each reporter, more for those whose reports were confirmed, and 25 for each flag. */
  priority: number;
  openedAt: string;
  closedAt: string | null;
  claim: Claim | null;
  /** Empty for whom the case concerns. */
  reports: CaseReport[];
  flags: CaseFlag[];
  record: DeskRecord | null;
  /** True where the service of the records could not be asked. */
  recordUnavailable: boolean;
  map: DeskMap | null;
  player: DeskPlayer | null;
  /** Of this case, the newest first. */
  decisions: Decision[];
  /** Earlier decisions about the same player, the newest first, at most 50. */
  history: Decision[];
  /** Other cases about the same player, the newest first, at most 50. */
  otherCases: CaseSummary[];
  /** The kinds of decision that apply now and that the caller may make. */
  allowed: DecisionKind[];
  conflict: Conflict | null;
};
export type CaseAnswer = {
  success: true;
  data: CaseDetail;
};
export type ClaimAnswer = {
  success: true;
  data: Claim;
};
export type ClaimRequest = {
  /** An admin claims the case although somebody else has it, or although a conflict of interest is shown. */
  override?: boolean;
};
export type DecisionAnswer = {
  success: true;
  data: Decision;
};
export type DecisionRequest = {
  /** An admin decides in spite of a conflict of interest. */
  override?: boolean;
  kind: DecisionKind;
  publicReason: PublicReason;
  /** Why, for the subject and the audit log. */
  text: string;
  /** When a ban ends by itself, at most ten years from now. A ban without it has no end. */
  until?: string;
  /** A ban hides the records of the player unless this is true. */
  keepRecords?: boolean;
  /** The `_id` of the player into whom the subject is merged. A merge into the own account is a conflict of interest. */
  intoId?: string;
};
export type DirectDecisionRequest = {
  subject: SubjectKey;
  /** An admin decides in spite of a conflict of interest. */
  override?: boolean;
  kind: DecisionKind;
  publicReason: PublicReason;
  /** Why, for the subject and the audit log. */
  text: string;
  /** When a ban ends by itself, at most ten years from now. A ban without it has no end. */
  until?: string;
  /** A ban hides the records of the player unless this is true. */
  keepRecords?: boolean;
  /** The `_id` of the player into whom the subject is merged. A merge into the own account is a conflict of interest. */
  intoId?: string;
};
export type UndoRequest = {
  publicReason: PublicReason;
  /** Why, for the subject and the audit log. */
  text: string;
};
export type AppealState = "open" | "granted" | "kept";
export type AppealMessage = {
  _id: string;
  from: "subject" | "moderator";
  text: string;
  at: string;
};
export type DeskAppeal = {
  _id: string;
  decisionId: string;
  state: AppealState;
  /** When the oldest message without an answer or a question was sent. Null for an appeal that is answered, and for an open one in which the player was asked. */
  waitingSince: string | null;
  answeredAt: string | null;
  messages: AppealMessage[];
  player: PlayerRef;
  decision: Decision;
  /** Whether the caller may answer it. */
  mayAnswer: boolean;
};
export type DeskAppealPage = {
  success: true;
  data: DeskAppeal[];
  pagination: Pagination;
};
export type DeskAppealAnswer = {
  success: true;
  data: DeskAppeal;
};
export type AppealAnswerRequest = {
  outcome: "granted" | "kept" | "asked";
  text: string;
};
export type FlagPrecision = {
  kind: FlagKind;
  /** Of the last 50. */
  judged: number;
  confirmed: number;
  silent: boolean;
};
export type FlagPrecisionAnswer = {
  success: true;
  data: FlagPrecision[];
};
export type AuditActor = {
  kind: "player" | "operator" | "system";
  /** The player's `_id`, the operator's account on the machine, or the name of the service. */
  id: string;
  name: string;
};
export type AuditEntry = {
  _id: string;
  at: string;
  actor: AuditActor;
  action: string;
  subjectId: string;
  /** The name of a player or a map that is known. */
  subjectName: string | null;
  reason: string;
  publicReason: string | null;
  decisionId: string | null;
  before: {
    [key: string]: any;
  };
  after: {
    [key: string]: any;
  };
};
export type AuditPagination = {
  limit: number;
  /** What `before` is for the next page, null on the last one. */
  next: string | null;
};
export type AuditPage = {
  success: true;
  data: AuditEntry[];
  pagination: AuditPagination;
};
export type Appeal = {
  _id: string;
  decisionId: string;
  state: AppealState;
  /** When the oldest message without an answer or a question was sent. Null for an appeal that is answered, and for an open one in which the player was asked. */
  waitingSince: string | null;
  answeredAt: string | null;
  messages: AppealMessage[];
};
export type OwnDecision = {
  _id: string;
  kind: DecisionKind;
  subject: CaseSubject;
  publicReason: PublicReason;
  text: string;
  state: DecisionState;
  until: string | null;
  keepRecords: boolean;
  /** True where it was undone since. */
  undone: boolean;
  at: string;
  appeal: Appeal | null;
  mayAppeal: boolean;
};
export type OwnDecisionAnswer = {
  success: true;
  data: OwnDecision;
};
export type OwnDecisionsAnswer = {
  success: true;
  data: OwnDecision[];
};
export type AppealAnswer = {
  success: true;
  data: Appeal;
};
export type AppealRequest = {
  decisionId: string;
  text: string;
};
export type AppealMessageRequest = {
  text: string;
};
export type DecisionCount = {
  kind: DecisionKind;
  count: number;
};
export type ModerationSummary = {
  /** The days that are counted. */
  days: number;
  /** Now. */
  openCases: number;
  reports: number;
  closedCases: number;
  decisions: DecisionCount[];
  undone: number;
  /** Now. */
  appealsOpen: number;
  appealsGranted: number;
  appealsKept: number;
  /** The median time from the first report to the decision, null without one. */
  medianMinutes: number | null;
};
export type ModerationAnswer = {
  success: true;
  data: ModerationSummary;
};
export type RecordModeration = {
  beingLookedAt: boolean;
};
export type RecordModerationAnswer = {
  success: true;
  data: RecordModeration;
};
export const {
  useSearchListedMapsQuery,
  useGetListedMapQuery,
  useEditMapMutation,
  useListMapEditsQuery,
  useUndoMapEditMutation,
  useDrawMapMutation,
  useSubmitMapMutation,
  useGetRecordEffectsQuery,
  useGetRecordEvidenceQuery,
  useGetHidingEffectsQuery,
  useGetMapEffectsQuery,
  useCreateReportMutation,
  useListCasesQuery,
  useGetCaseQuery,
  useClaimCaseMutation,
  useReleaseCaseMutation,
  useDecideCaseMutation,
  useDecideMutation,
  useUndoDecisionMutation,
  useListAppealsQuery,
  useAnswerAppealMutation,
  useListFlagPrecisionQuery,
  useListAuditQuery,
  useGetOwnDecisionQuery,
  useListOwnDecisionsQuery,
  useCreateAppealMutation,
  useAddAppealMessageMutation,
  useGetModerationQuery,
  useGetRecordModerationQuery,
} = injectedRtkApi;
