// Fails when the catalogue of sentences is not that of the sources. It leaves the right one behind, to be committed.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const CATALOGUE = 'src/locales/en.po'

const before = readFileSync(CATALOGUE, 'utf8')
execFileSync('npm', ['run', 'extract'], { stdio: ['ignore', 'ignore', 'inherit'] })
if (readFileSync(CATALOGUE, 'utf8') !== before) {
  console.error(`${CATALOGUE} was stale. It is written anew: please commit it.`)
  process.exitCode = 1
}
