// Writes the translations of what the gateway says, in the heads of pages and in feeds, for its program.
import { readFileSync, writeFileSync } from 'node:fs'
import { getConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

const { locales, sourceLocale } = getConfig()
const FOLDER = '../gateway/internal/page/sentences'

for (const locale of locales.filter((locale) => locale !== sourceLocale)) {
  const filename = `src/locales/${locale}.po`
  const context = { locale, sourceLocale: 'en', filename }
  const catalogue = await formatter().parse(readFileSync(filename, 'utf8'), context)
  const sentences = Object.entries(catalogue)
    .filter(([id]) => id.startsWith('page.') || id === 'config.description')
    .map(([id, { translation }]) => [id, translation])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(`${FOLDER}/${locale}.json`, `${JSON.stringify(Object.fromEntries(sentences), null, 2)}\n`)
}
