import { readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

// What the first pages of a visitor show is the first part of a catalogue. The rest is loaded after them, or with the pages
// that need it (withRest in src/routes/pages.ts): of these folders, all that is not named below.
const REST = /^src\/(features|forms|routes)\//
const FIRST = [
  /^src\/features\/(compare|goals|home|leaderboard|login|map-search|players|rankings|record)\//,
  /^src\/features\/(inbox\/InboxButton|map-edit\/EditMap|moderation\/ReportButton)/,
  /^src\/routes\/(pages|Home|MapSearch|ListedMaps|PlayerSearch|Rankings|Formula|Player|Compare|Leaderboard|RecordPage)/,
  /^src\/routes\/(Login|ComingSoon|NotFound)/,
]
// The server's sentences that a page can begin with.
const FIRST_OF_SERVER = /^(check|config)\.|^server\.(login\.|\w+_(unknown|gone)$|internal$|service_)/

/** Turns a catalogue into a module of compiled messages: x.po?first and x.po?rest are its parts, x.po is both. */
export const catalogues: Plugin = {
  name: 'catalogues',
  enforce: 'pre',
  load: {
    filter: { id: /\.po(\?\w+)?$/ },
    async handler(id) {
      const [file = '', part] = id.split('?')
      this.addWatchFile(file)
      const messages = await compiledMessages(file, part)
      // A string of JSON is parsed faster than code.
      return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))})`
    },
  },
}

async function compiledMessages(file: string, part: string | undefined) {
  const [, locale = ''] = /(\w+)\.po$/.exec(file) ?? []
  const context = { locale, sourceLocale: 'en', filename: file }
  const catalogue = await formatter().parse(readFileSync(file, 'utf8'), context)
  const isWanted = (id: string, origins: string[]) => !part || isFirst(id, origins) === (part === 'first')
  return Object.fromEntries(
    Object.entries(catalogue)
      .filter(([id, { origin = [] }]) =>
        isWanted(
          id,
          origin.map(([path]) => path),
        ),
      )
      .map(([id, { translation = '' }]) => [id, compileMessage(translation)]),
  )
}

const isFirst = (id: string, origins: string[]): boolean =>
  FIRST_OF_SERVER.test(id) ||
  origins.some(
    (path) => FIRST.some((part) => part.test(path)) || (!REST.test(path) && !path.startsWith('src/locales/')),
  )
