import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'

/** Returns the path of a file of docs/samples. */
export const sample = (name: string) => fileURLToPath(new URL(`../../docs/samples/${name}`, import.meta.url))

/** Goes from the login page to the game's room and returns the code that the bot sends there. */
export async function joinRoom(page: Page, name: string): Promise<string> {
  const popup = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Join Verification Room' }).click()
  const room = await popup
  await room.getByLabel('Name in the game').fill(name)
  await room.getByRole('button', { name: 'Join' }).click()
  const code = (await room.locator('.code').first().textContent()) ?? ''
  await page.bringToFront()
  return code
}

/** Logs in with the pages of the site and of the room. */
export async function logIn(page: Page, name: string): Promise<void> {
  await page.goto('/login-with-bonk')
  const code = await joinRoom(page, name)
  await page.getByLabel('Enter the 6-digit code').pressSequentially(code)
  await expect(page.getByText('Successfully logged in!').first()).toBeVisible()
  await page.waitForURL((url) => url.pathname === '/')
}

/** Joins a room by its own API and returns the code that the bot sends there. */
export async function joinQuickly({ request }: Page, roomLink: string, name: string): Promise<string> {
  await request.post(`${roomLink}/join`, { data: { name, level: 57, guest: false, skin: { bc: 9315498 } } })
  let code = ''
  await expect(async () => {
    const messages: { text: string }[] = await (await request.get(`${roomLink}/messages`)).json()
    code = messages.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find((found) => found) ?? ''
    expect(code).not.toBe('')
  }).toPass({ timeout: 30_000 })
  return code
}

/** Logs in by the API, for tests of something else. */
export async function logInQuickly(page: Page, name: string): Promise<void> {
  const { request } = page
  const { sessionId, roomLink } = await (await request.get('/api/v1/auth/request-room-link')).json()
  const code = await joinQuickly(page, roomLink, name)
  const answer = await request.post('/api/v1/auth/verify-code', { data: { sessionId, code } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Gives a player who has logged in once a role, by the operators' command of the stack that DATA_DIR names. */
export function grantRole(name: string, role: string): void {
  const { processes } = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? '', 'stack.json'), 'utf8'))
  const { program, settings } = processes.find(({ kind }: { kind: string }) => kind === 'players')
  execFileSync(program, ['grant', name, role], { env: { ...process.env, ...settings }, stdio: 'pipe' })
}

/** Returns a replay of the map of the journey, whose gold medal takes 01:01.90 and its silver medal 01:10.10. */
export function replayOf(player: string, finishTime: string, timestamp: string) {
  const labels = { 'Finish Time': finishTime, 'Player Name': player, Timestamp: timestamp }
  const text = Object.entries(labels).reduce(
    (replay, [label, value]) => replay.replace(new RegExp(`^${label}: .*$`, 'm'), `${label}: ${value}`),
    readFileSync(sample('skyline-run-mossfoot.lbReplay'), 'utf8'),
  )
  return { name: 'run.lbReplay', mimeType: 'text/plain', buffer: Buffer.from(text) }
}

/** Chooses a replay, such as a file of docs/samples, on the record page and submits it. */
export async function submitReplay(page: Page, replay: string | ReturnType<typeof replayOf>): Promise<void> {
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(typeof replay === 'string' ? sample(replay) : replay)
  await expect(page.getByRole('heading', { name: 'Replay info' })).toBeVisible()
  await page.getByRole('form').getByRole('button', { name: 'Submit Record' }).click()
}
