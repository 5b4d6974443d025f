import { readFileSync } from 'node:fs'
import babel from '@lingui/cli/api/extractors/babel'
import { defineConfig, type ExtractorType } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { config } from './src/config'
import { LANGUAGES } from './src/locales/languages'

// The sentences of the server, which go generate ./platform/problem writes from the Go sources, and of the configuration.
// They are in the catalogues, and no part of the site's code.
const serverSentences: ExtractorType = {
  match: (file) => file.endsWith('/locales/server.json'),
  extract(file, _, onMessage) {
    const sentences: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
    const { slogan, description } = config
    const all = {
      ...namesOfChecks(sentences),
      ...sentences,
      'config.slogan': slogan,
      'config.description': description,
    }
    for (const [id, message] of Object.entries(all)) onMessage({ id, message, origin: [file, 1] })
  },
}

// The names of the checks of a replay: 'Own replay' for check.own_replay.passed.
function namesOfChecks(sentences: Record<string, string>): Record<string, string> {
  const ids = Object.keys(sentences).filter((id) => id.startsWith('check.'))
  const names = ids.map((id) => id.split('.')[1] ?? '')
  return Object.fromEntries(
    names.map((name) => [`check.${name}`, name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())]),
  )
}

// The catalogues of the sentences that visitors read, which npm run extract writes from the sources.
export default defineConfig({
  locales: Object.keys(LANGUAGES),
  sourceLocale: 'en',
  catalogs: [{ path: 'src/locales/{locale}', include: ['src'], exclude: ['**/*.test.*', 'src/test/**'] }],
  extractors: [serverSentences, babel],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
})
