// Fails when the catalogues of sentences are not those of the sources, or lack something of a translation. Stale ones are
// written anew, to be committed.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { faultsOf } from './translations.mjs'

const { locales: LOCALES } = getConfig()
const fileOf = (locale) => `src/locales/${locale}.po`
const fail = (text) => {
  console.error(text)
  process.exitCode = 1
}

const before = LOCALES.map((locale) => readFileSync(fileOf(locale), 'utf8'))
execFileSync('npm', ['run', 'extract'], { stdio: ['ignore', 'ignore', 'inherit'] })
for (const [i, locale] of LOCALES.entries()) {
  const text = readFileSync(fileOf(locale), 'utf8')
  if (text !== before[i]) fail(`${fileOf(locale)} was stale. It is written anew: please commit it.`)
}

const readCatalogue = (locale) =>
  formatter().parse(readFileSync(fileOf(locale), 'utf8'), { locale, sourceLocale: 'en', filename: fileOf(locale) })

const english = await readCatalogue('en')
for (const locale of LOCALES.slice(1)) {
  for (const [id, { translation }] of Object.entries(await readCatalogue(locale))) {
    const source = english[id]?.translation || english[id]?.message || ''
    for (const fault of faultsOf(locale, source, translation)) {
      fail(`${fileOf(locale)}: ${JSON.stringify(source)} ${fault}: ${JSON.stringify(translation)}`)
    }
  }
}
