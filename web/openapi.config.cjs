// What `npm run generate` reads and writes: the client of the API, from the services' merged document. What the first
// pages of a visitor do not ask for is in files of their own, which other pages load, by the tags of the document.

const document = require('../gateway/internal/apidoc/openapi.json')

const DESK = ['desk', 'reports', 'submissions']
const SETTINGS = ['tokens', 'webhooks', 'me']
// What the gateway asks for, and a stream.
const OTHERS = ['heads', 'live']

const operations = Object.values(document.paths)
  .flatMap((path) => Object.entries(path).map(([method, operation]) => ({ method, ...operation })))
  .filter(({ operationId }) => operationId)

// isFile reports whether an operation is what a link or a download asks for.
const isFile = ({ method, responses: { 200: answer } }) =>
  method === 'get' && answer !== undefined && !('application/json' in answer.content)

// client describes a file with the operations whose tag is among these.
const client = (exportName, hasTag) => {
  const names = operations.filter((operation) => !isFile(operation) && hasTag(operation.tags[0]))
  return { exportName, filterEndpoints: names.map(({ operationId }) => operationId) }
}

/** @type {import('@rtk-query/codegen-openapi').ConfigFile} */
module.exports = {
  schemaFile: '../gateway/internal/apidoc/openapi.json',
  apiFile: './src/api/baseQuery.ts',
  apiImport: 'baseApi',
  hooks: true,
  flattenArg: false,
  useEnumType: false,
  encodePathParams: true,
  outputFiles: {
    './src/api/generated.ts': client('generatedApi', (tag) => ![...DESK, ...SETTINGS, ...OTHERS].includes(tag)),
    './src/api/desk/generated.ts': client('generatedDeskApi', (tag) => DESK.includes(tag)),
    './src/api/settings/generated.ts': client('generatedSettingsApi', (tag) => SETTINGS.includes(tag)),
  },
}
