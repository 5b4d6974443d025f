import { expect, test } from './fixtures'
import { expectNoOverflow, leaderboardTable, settled } from './pages'

test('players are compared, and the address keeps what is shown of them', async ({ page, player, site, course }) => {
  const { map, last } = course
  const opponent = last.player.name
  await site.record(player, map, '01:41.60')
  await page.goto(`/leaderboard/${map._id}`)
  await leaderboardTable(page).getByRole('link', { name: opponent, exact: true }).click()
  await page.getByRole('link', { name: 'Compare with me' }).click()

  await expect(page.getByRole('heading', { level: 1, name: `${player.name} against ${opponent}` })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${player.name} against ${opponent}`))
  const score = page.getByRole('region', { name: 'Score' })
  await expect(score).toContainText(new RegExp(`${player.name}0Faster0Ties.*${opponent}1Faster`))
  const maps = page.getByRole('table', { name: 'Maps that both have finished' })
  await expect(maps.getByRole('row').nth(1)).toContainText(`01:41.6001:41.33${opponent} by 00:00.27`)

  const address = `/compare/${player._id}/${last.player._id}`
  const biggest = page.getByRole('button', { name: 'Biggest difference first' })
  const behind = page.getByRole('button', { name: `${player.name} is behind by less than half a second` })
  await biggest.click()
  await expect(page).toHaveURL(`${address}?sortBy=biggest`)
  await behind.click()
  await expect(page).toHaveURL(`${address}?sortBy=biggest&behind=close`)
  await page.reload()
  await expect(biggest).toHaveAttribute('aria-pressed', 'true')
  await expect(behind).toHaveAttribute('aria-pressed', 'true')
  await expect(maps.getByRole('row')).toHaveCount(2)

  await page.getByRole('link', { name: 'Swap the players' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${opponent} against ${player.name}` })).toBeVisible()
  // The order stays. The filter is about the other player now.
  await expect(page).toHaveURL(`/compare/${last.player._id}/${player._id}?sortBy=biggest`)
  await expect(maps.getByRole('row').nth(1)).toContainText(`01:41.3301:41.60${opponent} by 00:00.27`)

  await page.setViewportSize({ width: 390, height: 844 })
  await settled(page)
  await expectNoOverflow(page)
})
