import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { expectNoOverflow, loadWhole, settled } from './pages'
import type { Player, Site } from './site'

const ranking = (page: Page) => page.getByRole('table', { name: 'Ranking' })
const address = (page: Page) => new URL(page.url()).search

// Makes five players who have finished five maps of three authors, which is what a rank needs, and returns the last of them
// when all of their records are in the points.
async function rankedPlayer(site: Site): Promise<Player> {
  const players: Player[] = []
  for (const word of ['heron', 'stoat', 'wren', 'badger', 'newt']) players.push(await site.player(word))
  const [heron, stoat, wren, , last] = players as [Player, Player, Player, Player, Player]
  for (const author of [heron, heron, stoat, stoat, wren]) {
    const map = await site.map(author)
    for (const [i, player] of players.entries()) {
      if (player !== author) await site.record(player, map, `01:0${i}.00`)
    }
  }
  await expect(async () => {
    const { data } = await site.read(`/players/${last._id}/points`)
    expect(data.maps.map(({ opponents }: { opponents: number }) => opponents)).toEqual([4, 4, 4, 4, 4])
    expect(data.rank).not.toBeNull()
  }).toPass({ timeout: 60_000 })
  return last
}

test('rankings have their filters in the address, and the own row is reached by keyboard', async ({
  page,
  context,
  site,
}) => {
  const last = await rankedPlayer(site)
  await context.addCookies(last.cookies)
  await page.goto('/player-search')
  await page.getByRole('navigation', { name: 'Pages about players' }).getByRole('link', { name: 'Rankings' }).click()
  await expect(page).toHaveURL('/rankings')
  await expect(page).toHaveTitle(/^Rankings/)
  const own = ranking(page).getByRole('row').filter({ hasText: last.name })
  await expect(own).toHaveAttribute('aria-current', 'true')

  const finished = page.getByRole('navigation', { name: 'Rankings' }).getByRole('link', { name: 'Finished maps' })
  await finished.click()
  await expect(finished).toHaveAttribute('aria-current', 'page')
  await page.getByRole('combobox', { name: 'Game Mode' }).selectOption('Classic')
  await expect.poll(() => address(page)).toBe('?by=finished&mode=Classic')
  await page.reload()
  await settled(page)
  await expect(page.getByRole('combobox', { name: 'Game Mode' })).toHaveValue('Classic')
  await expect(finished).toHaveAttribute('aria-current', 'page')

  await page.goto('/rankings')
  await settled(page)
  await page.getByRole('link', { name: 'Show my row' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => address(page)).toBe('?around=me')
  await expect(own).toBeFocused()
  await expect(own).toBeInViewport()
  // The first link in the row is the profile.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/player/${last._id}`)

  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/rankings', '/rankings/formula', `/player/${last._id}`]) {
    await page.goto(path)
    await loadWhole(page)
    await expectNoOverflow(page)
  }
})

test('a total is computed again from what the profile shows', async ({ page, site }) => {
  const player = await rankedPlayer(site)
  await page.goto(`/player/${player._id}?tab=points`)
  await loadWhole(page)
  const section = page.getByRole('region', { name: 'How the points add up' })
  const table = section.getByRole('table', { name: 'Points by map' })
  // The row of the names, and those of five maps.
  await expect(table.getByRole('row')).toHaveCount(6)
  for (const button of await table.getByRole('button', { name: /^Calculation for / }).all()) await button.click()
  await expect(table.getByText(/ for finishing \+ /)).toHaveCount(5)
  let total = 0
  for (const row of (await table.getByRole('row').all()).slice(1)) {
    const text = await row.innerText()
    const [, points = 0, weight = 0, share = 0] = /([\d.]+) × ([\d.]+) = ([\d.]+)/.exec(text)?.map(Number) ?? []
    expect(Math.abs(points * weight - share)).toBeLessThanOrEqual(0.051)
    const terms = /([\d.]+) for finishing \+ ([\d.]+) for .* beaten \+ ([\d.]+) for the \w+ place = ([\d.]+)/.exec(text)
    const [finish = 0, beaten = 0, place = 0, sum] = terms?.slice(1).map(Number) ?? []
    expect(sum).toBe(points)
    expect(finish + beaten + place).toBeCloseTo(points, 6)
    // The same by the numbers of the formula.
    const quotients = [...text.matchAll(/([\d.]+)·([\d.]+)\/([\d.]+)/g)].map(
      ([, a, b, c]) => (Number(a) * Number(b)) / Number(c),
    )
    expect(quotients).toHaveLength(3)
    expect(Math.abs(quotients.reduce((all, quotient) => all + quotient, 0) - points)).toBeLessThanOrEqual(0.0501)
    total += points * weight
  }
  await expect(section.getByText(/^The sum is/)).toContainText(`${total.toFixed(1)}.`)
})
