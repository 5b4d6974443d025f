import type { Page } from '@playwright/test'
import { expect, openAs, test } from './fixtures'
import { expectAccessible, expectNoOverflow, expectRoomForTexts, leaderboardTable, settled } from './pages'
import type { Player, Site } from './site'

// What the owner of the data carries out, and what others are told of it, arrives within this time.
const CARRIED_OUT_WITHIN_MS = 20_000

// What a record's audit log has in the end, and by whom: docs/decisions/0089-moderators-desk.md.
const AUDIT = [
  ['report', 'holder'],
  ['claim case', 'moderator'],
  ['decide', 'moderator'],
  ['remove record', 'moderator'],
  ['appeal', 'cheater'],
  ['undo decision', 'admin'],
  ['answer appeal', 'admin'],
  ['restore record', 'admin'],
] as const

// withRole logs a player in who has been given a role, of which logins know a moment later.
async function withRole(site: Site, { name }: Player, role: string): Promise<Player> {
  site.operate('players', 'grant', name, role)
  let player: Player | undefined
  await expect(async () => {
    player = await site.logIn(name)
    expect(player.roles).toContain(role)
  }).toPass({ timeout: CARRIED_OUT_WITHIN_MS })
  return player as Player
}

// axe sees the pages here, where they have contents, which fit a telephone and a tablet.
async function isAccessible(page: Page): Promise<void> {
  await settled(page)
  const size = page.viewportSize()
  for (const width of [320, 820]) {
    await page.setViewportSize({ width, height: 760 })
    await expectNoOverflow(page, `${page.url()} at ${width} px`)
    await expectRoomForTexts(page, `${page.url()} at ${width} px`)
  }
  if (size) await page.setViewportSize(size)
  await expectAccessible(page, page.url())
}

test('a record is reported, removed, appealed for and given back, and the audit log shows it', async ({
  browser,
  site,
}) => {
  // Four players, one after the other: it takes half of the limit of a test where nothing else runs.
  test.slow()
  const players = {
    holder: await site.player('lakemarch'),
    cheater: await site.player('driftway'),
    moderator: await site.player('greenhall'),
    admin: await site.player('highbench'),
  }
  const map = await site.map(await site.player('heron'))
  await site.record(players.holder, map, '00:23.10')
  const record = await site.record(players.cheater, map, '00:23.00')
  const holder = await openAs(browser, players.holder)
  const cheater = await openAs(browser, players.cheater)

  // A player reports the world record.
  await holder.goto(`/record/${record._id}`)
  await holder.getByRole('button', { name: 'Report' }).click()
  const report = holder.getByRole('dialog', { name: 'Report this record' })
  await report.getByLabel('What is wrong?').selectOption('The replay was edited')
  await report.getByLabel(/What should moderators know/).fill('Nobody is that fast in the third room.')
  await report.getByRole('button', { name: 'Send report' }).click()
  await expect(holder.getByText('Thank you for your report')).toBeVisible()

  // A moderator finds, claims and removes it, and is told before what that changes.
  const moderator = await openAs(browser, await withRole(site, players.moderator, 'moderator'))
  await moderator.goto('/desk?kind=record')
  await isAccessible(moderator)
  await moderator.getByRole('link', { name: `00:23.00 by ${players.cheater.name}` }).click()
  await moderator.getByRole('button', { name: /^Claim/ }).click()
  const form = moderator.getByRole('form', { name: 'Decision' })
  await expect(form).toBeVisible()
  await isAccessible(moderator)
  await form.getByLabel('Decision').selectOption('Remove the record')
  await form.getByLabel('Public reason').selectOption('The replay was edited')
  await form.getByLabel('Why').fill('The inputs of the replay do not lead to its time.')
  await form.getByRole('button', { name: 'Review and decide' }).click()
  const review = moderator.getByRole('alertdialog', { name: 'Remove the record' })
  await expect(review.getByText(`Gives the world record back to ${players.holder.name}`)).toBeVisible()
  await review.getByRole('button', { name: 'Remove the record' }).click()
  await expect(moderator.getByText('Carried out', { exact: true })).toBeVisible({ timeout: CARRIED_OUT_WITHIN_MS })
  // An appeal needs the evidence of the removed record.
  await moderator.reload()
  await expect(moderator.getByRole('list', { name: 'Checks', exact: true })).toBeVisible()
  const replay = moderator.waitForEvent('download')
  await moderator.getByRole('button', { name: 'Download replay' }).click()
  expect((await replay).suggestedFilename()).toBe(`${record._id}.lbReplay`)

  // The old holder is world record holder again, and is told so.
  const holds = expect.objectContaining({ player: expect.objectContaining({ _id: players.holder._id }) })
  await site.wait(`/records?map=${map._id}`, ([first]) => expect(first).toEqual(holds))
  await holder.goto(`/leaderboard/${map._id}`)
  await expect(leaderboardTable(holder).getByRole('row').nth(1)).toContainText(players.holder.name)
  const told = ['record_regained', 'report_decided'].map((kind) => expect.objectContaining({ kind }))
  await site.wait('/inbox', (groups) => expect(groups).toEqual(expect.arrayContaining(told)), players.holder)
  await holder.goto('/inbox')
  await expect(holder.getByText(/You hold the world record on .+ again/).first()).toBeVisible()
  const outcome = /Your report about .+ was decided: Record removed \(The replay was edited\)/
  await holder.getByRole('link', { name: outcome }).first().click()
  await expect(leaderboardTable(holder)).toBeVisible()

  // The punished reads why, and appeals.
  const moderated = [expect.objectContaining({ kind: 'moderated' })]
  await site.wait('/inbox', (groups) => expect(groups).toEqual(expect.arrayContaining(moderated)), players.cheater)
  await cheater.goto('/inbox')
  await expect(cheater.getByText(/about your record on .+: Record removed \(The replay was edited\)/)).toBeVisible()
  await cheater.getByRole('link', { name: 'Appeal against the decision' }).click()
  await expect(cheater.getByText('The inputs of the replay do not lead to its time.')).toBeVisible()
  await isAccessible(cheater)
  await cheater.getByLabel('Your message').fill('I have a video of the whole run.')
  await cheater.getByRole('button', { name: 'Appeal against the decision' }).click()
  await expect(cheater.getByText(/Waiting since/)).toBeVisible()

  // An admin grants the appeal, which undoes the removal.
  const adminPlayer = await withRole(site, players.admin, 'admin')
  const admin = await openAs(browser, adminPlayer)
  await admin.goto('/desk/appeals')
  const appeal = admin.getByRole('article', { name: `Appeal of ${players.cheater.name}` })
  await isAccessible(admin)
  await appeal.getByLabel('The decision').selectOption('The decision is undone')
  await appeal.getByRole('textbox', { name: 'Answer' }).fill('The video shows the whole run.')
  await appeal.getByRole('button', { name: 'Answer' }).click()
  const grant = admin.getByRole('alertdialog', { name: 'Grant the appeal' })
  await expect(grant.getByText(`Takes the world record from ${players.holder.name}`)).toBeVisible()
  await grant.getByRole('button', { name: 'Grant' }).click()
  await expect(appeal).toHaveCount(0)
  const undone = expect.arrayContaining([expect.objectContaining({ undone: true })])
  await site.wait('/me/decisions', (decisions) => expect(decisions).toEqual(undone), players.cheater)
  await expect(async () => site.read(`/records/${record._id}`)).toPass({ timeout: CARRIED_OUT_WITHIN_MS })
  await cheater.goto(`/record/${record._id}`)
  await expect(cheater.getByRole('heading', { level: 1 })).toContainText(`${players.cheater.name} on `)
  await cheater.goto('/decisions')
  await isAccessible(cheater)
  await expect(cheater.getByText('Undone', { exact: true }).first()).toBeVisible()

  // The audit log has what was done about the record: eight rows, and no others.
  const audit = `/desk/audit?subject=${record._id}`
  await site.wait(audit, (entries) => expect(entries).toHaveLength(AUDIT.length), adminPlayer)
  await admin.goto(audit)
  const log = admin.getByRole('table', { name: 'Audit log' })
  await expect(log.getByRole('row')).toHaveCount(1 + AUDIT.length)
  await isAccessible(admin)
  for (const [action, actor] of AUDIT) {
    await expect(log.getByRole('row').filter({ hasText: action }).filter({ hasText: players[actor].name })).toHaveCount(
      1,
    )
  }
  await Promise.all([holder, cheater, moderator, admin].map((page) => page.context().close()))
})
