// Tests the site in a browser, against a stack of its own that lives as long as the tests. SITE_URL names a running stack
// instead. Arguments go to Playwright. Without any, pictures of the pages and components are compared, too. Chromium and
// Firefox are installed where absent.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const START_WITHIN_MS = 10 * 60_000
const STOP_WITHIN_MS = 30_000
const PICTURES = 'e2e/pictures/playwright.config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
const firefox = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

install(chromium, 'chromium')
install(firefox, 'firefox-esr')
const stack = process.env.SITE_URL ? { url: process.env.SITE_URL, stop() {} } : await startStack()
let failed = true
try {
  const args = process.argv.slice(2)
  failed = (await test(stack.url, args)) !== 0
  if (args.length === 0) failed = (await test(stack.url, ['--config', PICTURES])) !== 0 || failed
} finally {
  await stack.stop()
}
process.exit(failed ? 1 : 0)

// install installs the Debian package of a browser that is not at its path.
function install(path, name) {
  if (existsSync(path)) return
  if (process.getuid?.() !== 0) {
    throw new Error(
      `There is no ${path}. Install it (apt-get install ${name}), or name another in CHROMIUM or FIREFOX.`,
    )
  }
  const apt = (...args) => execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { stdio: 'ignore' })
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
}

async function startStack() {
  execFileSync('make', ['launcher', 'web/dist/index.html'], { cwd: root, stdio: 'inherit' })
  const port = await freePort()
  const data = mkdtempSync(join(tmpdir(), 'capzone-e2e-'))
  const url = `http://localhost:${port}`
  const launcher = spawn(join(root, '.tools/bin/local'), ['up'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C here reaches the tests; the stack is stopped after them.
    detached: true,
  })
  let log = ''
  const keep = (chunk) => {
    log = (log + chunk).slice(-20_000)
  }
  launcher.stdout.on('data', keep)
  launcher.stderr.on('data', keep)
  const ended = new Promise((resolve) => launcher.once('exit', resolve))
  const stop = async () => {
    if (launcher.exitCode === null) launcher.kill('SIGTERM')
    const late = setTimeout(() => launcher.kill('SIGKILL'), STOP_WITHIN_MS)
    await ended
    clearTimeout(late)
    rmSync(data, { recursive: true, force: true })
  }
  process.once('SIGINT', () => stop().then(() => process.exit(130)))
  process.once('SIGTERM', () => stop().then(() => process.exit(143)))

  console.log(`starting a stack at ${url}`)
  const until = Date.now() + START_WITHIN_MS
  while (!log.includes('Capzone is at')) {
    if (launcher.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error(`The stack did not start:\n${log}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return { url, data, stop }
}

function test(url, args) {
  const playwright = spawn('npx', ['playwright', 'test', ...args], {
    env: {
      ...process.env,
      SITE_URL: url,
      ...(stack.data && { DATA_DIR: stack.data }),
      CHROMIUM: chromium,
      FIREFOX: firefox,
    },
    stdio: 'inherit',
  })
  return new Promise((resolve) => playwright.once('exit', resolve))
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
