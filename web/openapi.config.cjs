// What `npm run generate` reads and writes: the client of the API, from the services' merged document.

/** @type {import('@rtk-query/codegen-openapi').ConfigFile} */
module.exports = {
  schemaFile: '../gateway/internal/apidoc/openapi.json',
  apiFile: './src/api/baseQuery.ts',
  apiImport: 'baseApi',
  outputFile: process.env.GENERATED_FILE ?? './src/api/generated.ts',
  exportName: 'generatedApi',
  hooks: false,
  flattenArg: false,
  useEnumType: false,
  encodePathParams: true,
  // A response without an end is read by fetch.
  filterEndpoints: (name) => name !== 'streamEvents',
}
