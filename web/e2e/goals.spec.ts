import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { expectNoOverflow, submitReplay } from './pages'
import { replay } from './replays'
import { newGameMap, unique } from './site'

const goals = (page: Page) => page.getByRole('table', { name: 'Next goals' })

test('a player finds a goal on the home page, puts another aside, and reaches the goal', async ({
  page,
  player,
  site,
}) => {
  const author = await site.player('heron')
  const near = await site.map(author)
  const far = await site.map(author)
  await site.record(player, near, '01:02.00')
  await site.record(player, far, '01:04.00')
  // A player who has finished fewer maps gets easy maps in place of goals.
  for (let finished = 2; finished < 5; finished++) await site.record(player, await site.map(author), '00:50.00')

  await page.goto('/')
  await page.getByRole('heading', { name: 'Next Goals' }).scrollIntoViewIfNeeded()
  await expect(goals(page).getByRole('link')).toHaveText([near.name, far.name])
  await goals(page)
    .getByRole('button', { name: `Put ${near.name} aside for a month` })
    .click()
  await expect(goals(page).getByRole('link')).toHaveText([far.name])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(goals(page).getByRole('link')).toHaveText([near.name, far.name])

  await goals(page).getByRole('link', { name: near.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: near.name })).toBeVisible()
  await page.getByRole('region', { name: 'Banner' }).getByRole('link', { name: 'Submit Record' }).click()
  await expect(page).toHaveURL(`/replay-submit/${near._id}`)
  await submitReplay(page, replay(near, player.name, '00:57.00'))
  await expect(page.getByRole('region', { name: 'World record!' })).toBeVisible()

  // Without a better medal or a place above, there is no goal on this map.
  await page.goto('/')
  await page.getByRole('heading', { name: 'Next Goals' }).scrollIntoViewIfNeeded()
  await expect(goals(page).getByRole('link')).toHaveText([far.name])
})

test('a visitor finds a map without a replay, and is led to submit it', async ({ page, site }, info) => {
  const name = unique('Cloud Stairs ')
  const file = info.outputPath('maps.csv')
  await writeFile(
    file,
    `map id,name,authors,page,notes\n${newGameMap('').gameId},${name},cloudstep,https://bonk.io/maps,easy\n`,
  )
  site.operate('maps', 'import', file)

  await page.goto('/map-search')
  await page.getByRole('link', { name: 'Maps without a replay' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Maps without a replay' })).toBeVisible()
  await page.getByLabel('Map name').fill(name)
  await page.keyboard.press('Enter')
  const row = page.getByRole('table', { name: 'Maps without a replay' }).getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('cloudstep')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await row.getByRole('link', { name: `Submit its replay: ${name}` }).click()
  await expect(page).toHaveURL(/\/login-with-/)
})
