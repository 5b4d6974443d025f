import { expect, type Page, test } from '@playwright/test'
import { loadWhole, settled } from './pages'
import { logInQuickly } from './person'

interface Row {
  rank: number
  player: { _id: string; name: string }
  points: number
}

// The players by points, when all records of the demo are in them.
async function ranked({ request }: Page): Promise<Row[]> {
  const records = await (await request.get('/api/v1/records?limit=1&sortBy=updatedAt&sortDir=desc')).json()
  const newest = Date.parse(records.data[0].createdAt)
  let rows: Row[] = []
  await expect(async () => {
    const { data, asOf } = await (await request.get('/api/v1/rankings?limit=100')).json()
    expect(Date.parse(asOf)).toBeGreaterThan(newest)
    rows = data
  }).toPass({ timeout: 120_000 })
  expect(rows.length).toBeGreaterThan(3)
  return rows
}

const ranking = (page: Page) => page.getByRole('table', { name: 'Ranking' })
const address = (page: Page) => new URL(page.url()).search

test('rankings have their filters in the address, and the own row is reached by keyboard', async ({ page }) => {
  const last = (await ranked(page)).at(-1)
  await logInQuickly(page, last?.player.name ?? '')
  await page.goto('/player-search')
  await page.getByRole('navigation', { name: 'Pages about players' }).getByRole('link', { name: 'Rankings' }).click()
  await expect(page).toHaveURL('/rankings')
  await expect(page).toHaveTitle(/^Rankings/)
  const own = ranking(page).getByRole('row').filter({ hasText: 'You' })
  await expect(own).toHaveAttribute('aria-current', 'true')
  await expect(own.getByRole('cell').first()).toHaveText(String(last?.rank))

  await page.getByRole('navigation', { name: 'Rankings' }).getByRole('link', { name: 'Finished maps' }).click()
  await page.getByRole('combobox', { name: 'Game Mode' }).selectOption('Classic')
  await expect.poll(() => address(page)).toBe('?by=finished&mode=Classic')
  await page.getByRole('link', { name: 'This month' }).click()
  await expect.poll(() => address(page)).toBe('?by=finished&mode=Classic&period=month')
  await expect(
    page.getByText(/^Personal bests of this month \(UTC\) count\. It ends on .* in your time zone/),
  ).toBeVisible()
  await page.reload()
  await settled(page)
  await expect(page.getByRole('combobox', { name: 'Game Mode' })).toHaveValue('Classic')
  await expect(page.getByRole('link', { name: 'Finished maps' })).toHaveAttribute('aria-current', 'page')

  await page.goto('/rankings')
  await settled(page)
  const show = page.getByRole('link', { name: 'Show my row' })
  for (let tabs = 0; tabs < 60 && !(await show.evaluate((link) => link === document.activeElement)); tabs++) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect.poll(() => address(page)).toBe('?around=me')
  await expect(own).toBeFocused()
  await expect(own).toBeInViewport()
  // The first link in the row is the profile.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/player/${last?.player._id}`)

  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/rankings', '/rankings?by=worldRecords&period=month', '/rankings/formula', page.url()]) {
    await page.goto(path)
    await settled(page)
    await loadWhole(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390)
  }
})

test('a total is computed again from what the profile shows', async ({ page }) => {
  const [first] = await ranked(page)
  await page.goto(`/player/${first?.player._id}`)
  await settled(page)
  await loadWhole(page)
  const section = page.getByRole('region', { name: 'How the points add up' })
  const table = section.getByRole('table', { name: 'Points by map' })
  const pages = section.getByRole('navigation', { name: 'Pages of points by map' })

  let total = 0
  for (let more = true; more; ) {
    for (const button of await table.getByRole('button', { name: /^Terms on / }).all()) await button.click()
    for (const row of (await table.getByRole('row').all()).slice(1)) {
      const text = (await row.innerText()).replaceAll(',', '')
      const [, points, weight, share] = /([\d.]+) × ([\d.]+) = ([\d.]+)/.exec(text)?.map(Number) ?? []
      if (points === undefined || weight === undefined) continue // too few finishers
      expect(Math.abs(points * weight - (share ?? 0))).toBeLessThanOrEqual(0.051)
      const terms = /([\d.]+) for finishing \+ ([\d.]+) for .* beaten \+ ([\d.]+) for the \w+ place = ([\d.]+)/.exec(
        text,
      )
      const [finish = 0, beaten = 0, place = 0, sum] = terms?.slice(1).map(Number) ?? []
      expect(sum).toBe(points)
      expect(finish + beaten + place).toBeCloseTo(points, 6)
      // The same by the numbers of the formula.
      const quotients = [...text.matchAll(/([\d.]+)·([\d.]+)\/([\d.]+)/g)].map(
        ([, a, b, c]) => (+(a ?? 0) * +(b ?? 0)) / +(c ?? 1),
      )
      expect(quotients).toHaveLength(3)
      expect(Math.abs(quotients.reduce((all, quotient) => all + quotient, 0) - points)).toBeLessThanOrEqual(0.0501)
      total += points * weight
    }
    more = (await pages.count()) > 0 && (await pages.getByRole('button', { name: 'Next' }).isEnabled())
    if (more) {
      const position = table.getByRole('row').nth(1).getByRole('cell').first()
      const before = await position.innerText()
      await pages.getByRole('button', { name: 'Next' }).click()
      await expect(position).not.toHaveText(before)
      await settled(page)
    }
  }
  const shown = await section.getByText(/^The (sum is|maps of this page add up)/).innerText()
  expect(total.toFixed(1)).toBe(/([\d,]+\.\d)\.$/.exec(shown)?.[1]?.replaceAll(',', ''))
})
