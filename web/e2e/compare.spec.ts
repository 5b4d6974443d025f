import { expect, test } from '@playwright/test'
import { leaderboardTable, settled } from './pages'
import { logInQuickly, replayOf, submitReplay } from './person'

const PLAYER = 'thornwick'

test('players are compared, and the address keeps what is shown of them', async ({ page }) => {
  await logInQuickly(page, PLAYER)
  await page.goto('/replay-submit')
  // The last of the journey, nightlark, has 01:41.33.
  await submitReplay(page, replayOf(PLAYER, '01:41.60', '2026-02-03T10:00:00.000Z'))
  await expect(page).toHaveURL(/\/leaderboard\//)
  await leaderboardTable(page).getByRole('link', { name: 'nightlark', exact: true }).click()
  await page.getByRole('link', { name: 'Compare with me' }).click()

  await expect(page.getByRole('heading', { level: 1, name: `${PLAYER} against nightlark` })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${PLAYER} against nightlark`))
  const score = page.getByRole('region', { name: 'Score' })
  await expect(score).toContainText(new RegExp(`${PLAYER}0Faster0Ties.*nightlark1Faster.*nightlark leads\\.`))
  const maps = page.getByRole('table', { name: 'Maps that both have finished' })
  await expect(maps.getByRole('row')).toHaveCount(2)
  await expect(maps.getByRole('row').nth(1)).toContainText('01:41.6001:41.33nightlark by 00:00.27')

  const { pathname } = new URL(page.url())
  const biggest = page.getByRole('button', { name: 'Biggest difference first' })
  const behind = page.getByRole('button', { name: `${PLAYER} is behind by less than half a second` })
  await biggest.click()
  await expect(page).toHaveURL(`${pathname}?sortBy=biggest`)
  await behind.click()
  await expect(page).toHaveURL(`${pathname}?sortBy=biggest&behind=close`)
  await page.reload()
  await expect(biggest).toHaveAttribute('aria-pressed', 'true')
  await expect(behind).toHaveAttribute('aria-pressed', 'true')
  await expect(maps.getByRole('row')).toHaveCount(2)

  await page.getByRole('link', { name: 'Swap the players' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `nightlark against ${PLAYER}` })).toBeVisible()
  const [player, opponent] = pathname.split('/').slice(-2)
  // The order stays. The filter is about the other player now.
  await expect(page).toHaveURL(`/compare/${opponent}/${player}?sortBy=biggest`)
  await expect(score).toContainText(new RegExp(`nightlark1Faster0Ties.*${PLAYER}0Faster.*nightlark leads\\.`))
  await expect(maps.getByRole('row').nth(1)).toContainText('01:41.3301:41.60nightlark by 00:00.27')
  const otherBehind = page.getByRole('button', { name: 'nightlark is behind by less than half a second' })
  await otherBehind.click()
  await expect(page.getByText('nightlark is on no map behind by less than half a second.')).toBeVisible()
  await otherBehind.click()
  await expect(page).toHaveURL(`/compare/${opponent}/${player}?sortBy=biggest`)

  await page.setViewportSize({ width: 390, height: 844 })
  await settled(page)
  await expect(maps.getByRole('row').nth(1)).toContainText('nightlark by 00:00.27')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('players who cannot be compared are explained', async ({ page }) => {
  const { data } = await (await page.request.get('/api/v1/players/search?name=nightlark')).json()
  const player = data[0]._id
  await page.goto(`/compare/${player}/${player}`)
  await expect(page.getByText('Both are the same player')).toBeVisible()
  await expect(page.getByRole('link', { name: 'View Profile' })).toHaveAttribute('href', `/player/${player}`)
  await page.goto(`/compare/${player}/nobody`)
  await expect(page.getByText('Player Not Found')).toBeVisible()
  await page.getByRole('link', { name: 'View Players' }).click()
  await expect(page).toHaveURL('/player-search')
})
