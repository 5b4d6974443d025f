import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { expectNoOverflow, leaderboardTable, submitReplay } from './pages'
import { replay } from './replays'
import type { SiteMap } from './site'

const card = (page: Page, map: SiteMap) => page.getByRole('article').filter({ hasText: map.name })

const ownRank = (page: Page, name: string) =>
  leaderboardTable(page).getByRole('row', { name }).getByRole('cell').first()

test('a medal within a second is found in three clicks, and everything moves with its submission', async ({
  page,
  player,
  site,
}) => {
  const author = await site.player('heron')
  const map = await site.map(author)
  await site.record(await site.player('stoat'), map, '01:00.10')
  await site.record(player, map, '01:02.40')

  await page.goto('/')
  await page.getByRole('navigation').getByRole('link', { name: 'Maps', exact: true }).first().click()
  await page.getByRole('button', { name: /^Sort/ }).click()
  const chosen = page.getByRole('menuitemradio', { checked: true })
  const [mark, label] = await Promise.all(['svg', 'span'].map((part) => chosen.locator(part).last().boundingBox()))
  expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual(label?.x ?? 0)
  await page.getByRole('menuitemradio', { name: 'Closest to My Next Medal' }).click()
  await expect(page).toHaveURL(/sortBy=toNextMedal/)
  await expect(page.getByRole('article').first()).toContainText(map.name)
  await expect(card(page, map).getByRole('img', { name: /00:00\.50 short of the gold medal/ })).toBeVisible()
  await expect(card(page, map).getByRole('img', { name: 'Silver medal', exact: true })).toBeVisible()

  await card(page, map).getByRole('link', { name: map.name }).click()
  const own = page.getByRole('region', { name: 'World record' })
  await expect(own.getByRole('img', { name: /^Your best is at 01:02\.40/ })).toBeVisible()
  await expect(ownRank(page, player.name)).toHaveText('3')
  await page.getByRole('region', { name: 'Banner' }).getByRole('link', { name: 'Submit Record' }).click()
  await submitReplay(page, replay(map, player.name, '00:59.00'))

  const result = page.getByRole('region', { name: 'New personal best' })
  await expect(result).toContainText('New: Gold medal')
  await expect(result.getByRole('link', { name: 'stoat' })).toBeVisible()
  await expect(result).toBeInViewport({ ratio: 1 })
  await expect(own.getByRole('img', { name: /^Your best is at 00:59\.00, .* short of the author medal/ })).toBeVisible()
  await expect(ownRank(page, player.name)).toHaveText('2')

  await page.getByRole('link', { name: 'Back to Map Search' }).click()
  await expect(card(page, map)).toContainText('00:59.00')
  await expect(card(page, map).getByRole('img', { name: /short of the author medal/ })).toBeVisible()
})

test('the filters fit on a phone, and one goes away by its chip', async ({ page, player, course }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(
    `/map-search?name=skyline&gameMode=Death+Arrows&author=${course.author.name}&tags=city,long&progress=belowAuthor`,
  )
  const filters = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
  await expect(filters).toHaveCount(6)
  for (const filter of await filters.all()) await expect(filter.getByRole('button')).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: /^Filters/ }).click()
  const fields = page.getByRole('dialog', { name: 'Filters' })
  for (const label of ['Game Mode', 'My Progress', 'Author', 'Tags']) {
    const field = fields.getByLabel(label, { exact: true })
    await field.scrollIntoViewIfNeeded()
    await expect(field).toBeInViewport({ ratio: 1 })
  }
  await expectNoOverflow(page, player.name)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove filter Name: skyline' }).focus()
  await page.keyboard.press('Enter')
  await expect(filters).toHaveCount(5)
  await expect(page).toHaveURL(/\?gameMode=/)
})

test('the list of maps with own times fits on a phone', async ({ page, context, site, course }) => {
  const { improved, map } = course
  await context.addCookies((await site.logIn(improved.player.name)).cookies)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/map-search?name=${map.name}`)
  await page.getByRole('button', { name: 'List view' }).click()
  const table = page.getByRole('table', { name: 'Maps' })
  await expect(table.getByRole('row', { name: new RegExp(`^${map.name} .* 00:59\\.93`) })).toBeVisible()
  // A wider table would scroll sideways in its frame.
  const hidden = () =>
    table.evaluate(({ parentElement }) => parentElement && parentElement.scrollWidth - parentElement.clientWidth)
  await expect.poll(hidden).toBe(0)
})
