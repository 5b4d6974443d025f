import { readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

// What the first pages of a visitor show is the first part of a catalogue. The rest is loaded after them, or with the pages
// that need it: those of REST with their folders.
const REST =
  /^src\/(features\/(desk|decisions|inbox|map-edit|moderation|settings|submit)\/|forms\/|routes\/(Desk|Decision|Inbox|Following|MapSubmit|RecordSubmit|Moderation|Privacy|Account|Notification|OwnData|Settings|Token|Webhook))/
// Parts of those folders that every page has.
const FIRST = /^src\/features\/(inbox\/InboxButton|map-edit\/EditMap|moderation\/ReportButton)/
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
  origins.some((path) => FIRST.test(path) || (!REST.test(path) && !path.startsWith('src/locales/')))
