// Fails when the JavaScript that a page needs at first exceeds its limit: the chunks of every page, the page's own, and
// what they import, compressed by gzip. What is evaluated before the session is asked for has a limit of its own.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const LIMIT_KB = 180
const ENTRY_LIMIT_KB = 45
// What index.html loads for every page.
const START = ['index.html', 'src/app/start.tsx']
// The pages that visitors open first.
const PAGES = [
  ['home page', 'HomePage'],
  ['map search', 'MapSearchPage'],
  ['leaderboard', 'LeaderboardPage'],
  ['record', 'RecordPage'],
  ['player search', 'PlayerSearchPage'],
  ['player', 'PlayerPage'],
  ['rankings', 'RankingsPage'],
  ['login', 'LoginPage'],
]
// The forms hold what no other page has; they are opened from a page that is loaded.
const FORMS = [
  ['map form', 'MapSubmitPage'],
  ['record form', 'RecordSubmitPage'],
]

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))

// filesOf lists what is loaded for chunks, with what they import: the names of chunks by file.
function filesOf(keys, files = new Map()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no ${key}.`)
    if (files.has(chunk.file)) continue
    files.set(chunk.file, chunk.name)
    filesOf(chunk.imports ?? [], files)
  }
  return files
}

function weightOf(keys) {
  const files = [...filesOf(keys)]
    .map(([file, name]) => ({ name, kb: gzipSync(readFileSync(`dist/${file}`)).length / 1024 }))
    .sort((a, b) => b.kb - a.kb)
  const kb = files.reduce((sum, file) => sum + file.kb, 0)
  return { kb, files, text: `${kb.toFixed(1)} KB of JavaScript in ${files.length} files` }
}

const HINT = `
A file of src/ui, api, session or entities/{map,player,record} is in the chunk "shared", which every page loads. What few
pages have belongs into a folder inside, such as ui/more, or into a feature: docs/site.md, "How to add a page".`

const ofPage = (page) => weightOf([...START, `src/routes/${page}.tsx`])

function check(name, { kb, files, text }, limit) {
  console.log(`The ${name} loads ${text} (limit ${limit}).`)
  if (kb <= limit) return
  process.exitCode = 1
  for (const { name, kb } of files) console.error(`  ${kb.toFixed(1).padStart(5)} KB ${name}`)
}

check('start before the session is asked for', weightOf(['index.html']), ENTRY_LIMIT_KB)
for (const [name, page] of PAGES) check(name, ofPage(page), LIMIT_KB)
for (const [name, page] of FORMS) console.log(`The ${name} loads ${ofPage(page).text}.`)
if (process.exitCode) console.error(HINT)
