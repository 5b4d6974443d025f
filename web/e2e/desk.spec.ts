import { type Browser, expect, type Page, test } from '@playwright/test'
import { leaderboardTable, settled } from './pages'
import { grantRole, logInQuickly, replayOf, submitReplay } from './person'

// What the owner of the data carries out, and what others are told of it, arrives within this time.
const CARRIED_OUT_WITHIN_MS = 20_000

// What a record's audit log has in the end, and by whom: docs/decisions/0089-moderators-desk.md.
const AUDIT = [
  ['report', 'lakemarch'],
  ['claim case', 'greenhall'],
  ['decide', 'greenhall'],
  ['remove record', 'greenhall'],
  ['appeal', 'driftway'],
  ['undo decision', 'highbench'],
  ['answer appeal', 'highbench'],
  ['restore record', 'highbench'],
] as const

// openAs is a browser of its own in which a player is logged in, with a role.
async function openAs(browser: Browser, name: string, role?: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await logInQuickly(page, name)
  await page.goto('/')
  await settled(page)
  if (role) {
    grantRole(name, role)
    // Logins know of the role a moment later.
    await expect(async () => {
      await page.goto('/desk')
      await expect(page.getByRole('heading', { level: 1, name: "Moderators' desk" })).toBeVisible({ timeout: 5000 })
    }).toPass({ timeout: CARRIED_OUT_WITHIN_MS })
  }
  return page
}

async function submit(page: Page, name: string, finishTime: string, timestamp: string): Promise<void> {
  await page.goto('/replay-submit')
  await settled(page)
  await submitReplay(page, replayOf(name, finishTime, timestamp))
  await expect(page).toHaveURL(/\/leaderboard\//)
}

test('a record is reported, removed, appealed for and given back, and the audit log shows it', async ({ browser }) => {
  const holder = await openAs(browser, 'lakemarch')
  await submit(holder, 'lakemarch', '00:23.10', '2026-04-05T10:00:00.000Z')
  const leaderboard = new URL(holder.url()).pathname
  const cheater = await openAs(browser, 'driftway')
  await submit(cheater, 'driftway', '00:23.00', '2026-04-06T10:00:00.000Z')

  // A player reports the world record.
  await holder.goto(leaderboard)
  await settled(holder)
  await leaderboardTable(holder).getByRole('row').nth(1).getByRole('link', { name: '00:23.00' }).click()
  await expect(holder).toHaveURL(/\/record\//)
  const record = new URL(holder.url()).pathname
  await holder.getByRole('button', { name: 'Report' }).click()
  const report = holder.getByRole('dialog', { name: 'Report this record' })
  await report.getByLabel('What is wrong?').selectOption('The replay was edited')
  await report.getByLabel(/What should moderators know/).fill('Nobody is that fast in the third room.')
  await report.getByRole('button', { name: 'Send report' }).click()
  await expect(holder.getByText('Thank you for your report')).toBeVisible()

  // A moderator finds, claims and removes it, and is told before what that changes.
  const moderator = await openAs(browser, 'greenhall', 'moderator')
  await moderator.goto('/desk?kind=record')
  await moderator.getByRole('link', { name: /00:23\.00 by driftway/ }).click()
  await moderator.getByRole('button', { name: /^Claim/ }).click()
  const form = moderator.getByRole('form', { name: 'Decision' })
  await form.getByLabel('Decision').selectOption('Remove the record')
  await form.getByLabel('Public reason').selectOption('The replay was edited')
  await form.getByLabel('Why').fill('The inputs of the replay do not lead to its time.')
  await form.getByRole('button', { name: 'Review and decide' }).click()
  const review = moderator.getByRole('alertdialog', { name: 'Remove the record' })
  await expect(review.getByText(/Gives the world record back to lakemarch/)).toBeVisible()
  await review.getByRole('button', { name: 'Decide' }).click()
  await expect(moderator.getByText('Carried out', { exact: true })).toBeVisible({ timeout: CARRIED_OUT_WITHIN_MS })
  // An appeal needs the evidence of the removed record.
  await moderator.reload()
  await expect(moderator.getByRole('list', { name: 'Checks', exact: true })).toBeVisible()
  const replay = moderator.waitForEvent('download')
  await moderator.getByRole('button', { name: 'Download replay' }).click()
  expect((await replay).suggestedFilename()).toBe(`${record.split('/').at(-1)}.lbReplay`)

  // The old holder is world record holder again, and is told so.
  await expect(async () => {
    await holder.goto(leaderboard)
    await settled(holder)
    await expect(leaderboardTable(holder).getByRole('row').nth(1)).toContainText('lakemarch', { timeout: 2000 })
  }).toPass({ timeout: CARRIED_OUT_WITHIN_MS })
  await expect(async () => {
    await holder.goto('/inbox')
    await expect(holder.getByText(/You hold the world record on .+ again/).first()).toBeVisible({ timeout: 2000 })
    await expect(holder.getByText(/Your report .*was decided/).first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: CARRIED_OUT_WITHIN_MS })

  // The punished reads why, and appeals.
  await cheater.goto('/decisions')
  await cheater.getByRole('link', { name: 'Record removed' }).first().click()
  await expect(cheater.getByText('The inputs of the replay do not lead to its time.')).toBeVisible()
  await cheater.getByLabel('Your message').fill('I have a video of the whole run.')
  await cheater.getByRole('button', { name: 'Appeal against the decision' }).click()
  await expect(cheater.getByText(/Waiting since/)).toBeVisible()

  // An admin grants the appeal, which undoes the removal.
  const admin = await openAs(browser, 'highbench', 'admin')
  await admin.goto('/desk/appeals')
  const appeal = admin.getByRole('article', { name: 'Appeal of driftway' })
  await appeal.getByLabel('The decision').selectOption('Is undone')
  await expect(appeal.getByText(/Takes the world record from lakemarch/)).toBeVisible()
  await appeal.getByRole('textbox', { name: 'Answer' }).fill('The video shows the whole run.')
  await appeal.getByRole('button', { name: 'Answer' }).click()
  await expect(appeal).toHaveCount(0)
  await expect(async () => {
    await cheater.goto(record)
    await expect(cheater.getByRole('heading', { level: 1 })).toContainText('driftway on ', { timeout: 2000 })
  }).toPass({ timeout: CARRIED_OUT_WITHIN_MS })
  await expect(async () => {
    await cheater.goto('/decisions')
    await expect(cheater.getByText('Undone', { exact: true }).first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: CARRIED_OUT_WITHIN_MS })

  // The audit log has what was done about the record: eight rows, and no others.
  const log = admin.getByRole('table', { name: 'Audit log' })
  await expect(async () => {
    await admin.goto(`/desk/audit?subject=${record.split('/').at(-1)}`)
    await settled(admin)
    await expect(log.getByRole('row')).toHaveCount(1 + AUDIT.length, { timeout: 2000 })
  }).toPass({ timeout: CARRIED_OUT_WITHIN_MS })
  for (const [action, actor] of AUDIT) {
    await expect(log.getByRole('row').filter({ hasText: action }).filter({ hasText: actor })).toHaveCount(1)
  }
  await Promise.all([holder, cheater, moderator, admin].map((page) => page.context().close()))
})
