// What `npm run generate` reads and writes: the client of the API, from the services' merged document. What the first
// pages of a visitor do not ask for is in files of their own, which other pages load.

const document = require('../gateway/internal/apidoc/openapi.json')

const folder = './src/api'
const DESK_TAGS = ['desk', 'reports']
const SETTINGS_TAGS = ['tokens', 'webhooks']
const SETTINGS_NAMES = [
  ...['getInboxSettings', 'updateInboxSettings', 'putGoalAside', 'takeUpGoal'],
  ...['listFollows', 'getPlayerFollow', 'followPlayer', 'unfollowPlayer', 'getMapFollow', 'followMap', 'unfollowMap'],
  ...['getOwnAccount', 'updateOwnAccount', 'getOwnDeletion', 'scheduleOwnDeletion', 'cancelOwnDeletion'],
]
const DESK_NAMES = [
  ...[
    'getRecordEffects',
    'getRecordEvidence',
    'getHidingEffects',
    'getMapEffects',
    'editMap',
    'listMapEdits',
    'undoMapEdit',
  ],
  ...['searchListedMaps', 'drawMap', 'submitMap', 'updatePlayer'],
]

// What the gateway and its pages ask for, or downloads and links do.
const NOT_CALLED = [
  ...['streamEvents', 'exportOwnData', 'refreshToken', 'downloadReplay', 'downloadEvidence', 'exportAudit'],
  ...['listMapIDs', 'listPlayerIDs', 'listWorldRecords'],
  'getListedMap',
  ...['previewMap', 'previewRecord', 'previewPlayer', 'previewComparison'],
]

const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
const tagged = (wanted) =>
  operations.filter(({ tags = [] }) => tags.some((tag) => wanted.includes(tag))).map((o) => o.operationId)
const deskOperations = [...tagged(DESK_TAGS), ...DESK_NAMES]
const settingsOperations = [...tagged(SETTINGS_TAGS), ...SETTINGS_NAMES]
const isDesk = (name) => deskOperations.includes(name) && !NOT_CALLED.includes(name)
const isSettings = (name) => settingsOperations.includes(name)

/** @type {import('@rtk-query/codegen-openapi').ConfigFile} */
module.exports = {
  schemaFile: '../gateway/internal/apidoc/openapi.json',
  apiFile: './src/api/baseQuery.ts',
  apiImport: 'baseApi',
  hooks: false,
  flattenArg: false,
  useEnumType: false,
  encodePathParams: true,
  outputFiles: {
    [`${folder}/generated.ts`]: {
      exportName: 'generatedApi',
      filterEndpoints: (name) => !NOT_CALLED.includes(name) && !isDesk(name) && !isSettings(name),
    },
    [`${folder}/generatedDesk.ts`]: { exportName: 'generatedDeskApi', filterEndpoints: isDesk },
    [`${folder}/generatedSettings.ts`]: { exportName: 'generatedSettingsApi', filterEndpoints: isSettings },
  },
}
