/** The address of a record's replay file. */
export const replayAddress = (recordId: string): string => `/api/v1/download/replays/${encodeURIComponent(recordId)}`
