// Measures the running site with Lighthouse as a phone (1.6 Mbit/s, 150 ms, a processor four times slower than one whose
// benchmark index is INDEX, all simulated), prints the scores and writes them into docs/site.md: for each page the
// measurement with the median performance of RUNS (5). The floor is the least that a page has (scripts/floor). The site is at
// SITE_URL, or here at PORT; it needs the data of `make demo`. With ONLY=Home it measures that page alone, and writes nothing.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'

const RUNS = Number(process.env.RUNS ?? 5)
// Lighthouse's measure of a processor. The goal for performance is set for 2,700.
const INDEX = Number(process.env.INDEX ?? 2700)
// Now and then a browser ends without a trace, the more often the busier the machine is.
const TRIES = 6
// The categories and their goals.
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100 }
const CATEGORIES = Object.keys(GOALS)
// What the score for performance is made of.
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'speed-index',
  'cumulative-layout-shift',
]
const CHROMIUM_FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const site = process.env.SITE_URL ?? `http://localhost:${process.env.PORT ?? 8080}`
const page = fileURLToPath(new URL('../../docs/site.md', import.meta.url))
const run = promisify(execFile)
const work = mkdtempSync(join(tmpdir(), 'capzone-lighthouse-'))
const floor = await serveFloor()

try {
  const { machine } = await measure(floor.resolvedUrls.local[0], 4)
  const slowdown = (4 * machine) / INDEX
  // The load of the busiest minute.
  let load = loadavg()[0]
  const rows = []
  for (const [name, path] of (await routes()).filter(([name]) => name === (process.env.ONLY ?? name))) {
    const results = []
    while (results.length < RUNS) results.push(await measure(path, slowdown))
    results.sort((a, b) => a.scores[0] - b.scores[0])
    const result = results[Math.floor(RUNS / 2)]
    rows.push([name, ...result.scores, result.largest, result.blocked, result.shift, result.busy, result.machine])
    load = Math.max(load, loadavg()[0])
    console.log(`${name}: ${CATEGORIES.map((c, i) => `${c} ${result.scores[i]}`).join(', ')}`)
    for (const { scores, metrics, machine } of results) {
      console.log(`  ${scores[0]}: ${metrics.join(', ')}, machine ${machine}`)
    }
    if (CATEGORIES.some((category, i) => result.scores[i] < GOALS[category])) {
      for (const fault of result.faults) console.log(`  ${fault}`)
    }
  }
  if (!process.env.ONLY) write(rows, load)
} finally {
  await floor.close()
  rmSync(work, { recursive: true, force: true })
}

async function serveFloor() {
  const options = {
    configFile: false,
    logLevel: 'warn',
    root: fileURLToPath(new URL('floor', import.meta.url)),
    plugins: [react()],
    build: { outDir: join(work, 'floor'), target: 'es2022', modulePreload: { polyfill: false } },
  }
  await build(options)
  return preview({ ...options, preview: { host: '127.0.0.1' } })
}

async function routes() {
  const [map] = await read('/maps/search?limit=1')
  const [player] = await read('/players/search?limit=1')
  const [record] = await read('/records?sortBy=updatedAt&sortDir=desc&limit=1')
  if (!map || !player || !record) throw new Error(`${site} has no maps, players or records yet: run make demo first.`)
  return [
    ['Floor', floor.resolvedUrls.local[0]],
    ['Home', '/'],
    ['Map search', '/map-search'],
    ['Leaderboard', `/leaderboard/${map._id}`],
    ['Record', `/record/${record._id}`],
    ['Player search', '/player-search'],
    ['Player profile', `/player/${player._id}`],
    ['Rankings', '/rankings'],
    ['Login', '/login-with-bonk'],
    ['Coming soon', '/events'],
    ['Privacy', '/privacy'],
  ]
}

async function read(path) {
  const response = await fetch(`${site}/api/v1${path}`)
  if (!response.ok) throw new Error(`${site} answered ${response.status} to ${path}`)
  return (await response.json()).data
}

// measure opens a page once, with a processor that is slowdown times slower than this one.
async function measure(path, slowdown) {
  const report = join(work, 'report.json')
  for (let left = TRIES; ; left--) {
    try {
      await inspect(path, slowdown, report)
      break
    } catch (error) {
      if (left === 1) throw error
      console.warn(`${path} once more: ${error.stderr}`)
    }
  }

  const { categories, audits, environment } = JSON.parse(readFileSync(report, 'utf8'))
  // The audits without a weight are the ones that explain the performance.
  const faults = CATEGORIES.flatMap((category) => categories[category].auditRefs)
    .filter(({ id }) => audits[id].score !== null && audits[id].score < 0.9)
    .map(({ id }) => [`${id}: ${audits[id].title}`, audits[id].displayValue].filter(Boolean).join(', '))
  return {
    scores: CATEGORIES.map((category) => Math.round(categories[category].score * 100)),
    largest: `${(audits['largest-contentful-paint'].numericValue / 1000).toFixed(1)} s`,
    blocked: `${Math.round(audits['total-blocking-time'].numericValue)} ms`,
    busy: `${(audits['mainthread-work-breakdown'].numericValue / 1000).toFixed(1)} s`,
    shift: audits['cumulative-layout-shift'].numericValue.toFixed(3),
    metrics: METRICS.map((id) => `${id} ${audits[id].displayValue}`),
    // How fast the machine was meanwhile. Other work makes it slower, and lowers the score.
    machine: Math.round(environment.benchmarkIndex),
    faults,
  }
}

function inspect(path, slowdown, report) {
  return run(
    'node_modules/.bin/lighthouse',
    [
      new URL(path, site).href,
      '--quiet',
      '--output=json',
      `--output-path=${report}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      `--throttling.cpuSlowdownMultiplier=${slowdown}`,
      `--chrome-flags=${CHROMIUM_FLAGS.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: process.env.CHROMIUM ?? '/usr/bin/chromium' } },
  )
}

function write(rows, load) {
  const processors = availableParallelism()
  // The measurements and the stack keep the processors of an otherwise idle machine busy.
  const busy = load > 2 * processors ? ' It had other work, which lowers the performance scores.' : ''
  const weight = execFileSync('node', ['scripts/weigh.mjs'], { encoding: 'utf8' }).trim()
  const table = [
    '| page | performance | accessibility | best practices | largest paint | blocked | layout shift | main thread | machine |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    `Each row is the median of ${RUNS} measurement(s). The machine has ${processors} processors; its load was at most ${load.toFixed(1)}.${busy}`,
    weight,
  ].join('\n')
  const figures = /(<!-- figures -->\n)[\s\S]*(\n<!-- end of figures -->)/
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(figures, (_, before, after) => before + table + after),
  )
}
