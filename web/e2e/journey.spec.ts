import { expect, test } from './fixtures'
import { chooseMapFiles, joinRoom, leaderboardTable, submitReplay } from './pages'
import { replay } from './replays'
import { newGameMap, unique } from './site'

test('an author logs in, after a wrong code, and submits a map', async ({ page }) => {
  const author = unique('cloud')
  const map = newGameMap(author)
  await page.goto('/map-submit')
  await expect(page.getByText('Authentication Required')).toBeVisible()
  await expect(page.getByText('You must be logged in to validate maps.')).toBeVisible()
  await expect(page).toHaveURL('/login-with-bonk')
  await expect(page.getByText('Waiting for you to join the room...')).toBeVisible()

  const code = await joinRoom(page, author)
  const entry = page.getByLabel('Enter the 6-digit code')
  await expect(entry).toBeFocused()
  await page.keyboard.type('abc')
  await expect(entry).toHaveValue('')
  await page.keyboard.type(code === '000000' ? '000001' : '000000')
  await expect(page.getByText('This code is wrong. 4 tries left.')).toBeVisible()
  await expect(entry).toBeFocused()
  await page.keyboard.type(code)
  await expect(page.getByText('Successfully logged in!').first()).toBeVisible()
  // The login leads back to the page that required it.
  await expect(page).toHaveURL('/map-submit')
  await expect(page.getByRole('heading', { name: 'Map Validation' })).toBeVisible()
  await expect(page.getByRole('button', { name: `Account of ${author}` })).toBeVisible()

  await page.getByRole('link', { name: 'Capzone, home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1, name: `Welcome back, ${author}` })).toBeVisible()
  await page.getByRole('button', { name: 'Submit', exact: true }).hover()
  await page.getByRole('link', { name: 'Submit Map' }).click()
  await expect(page.getByRole('heading', { name: 'Map Validation' })).toBeVisible()

  await chooseMapFiles(page, replay(map, author, '00:58.40'))
  await expect(page.getByAltText('Preview of the map image')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Replay info' })).toContainText(String(map.gameId))
  await page.getByLabel('Description').fill('Over the roofs at dusk.')
  await page.getByRole('textbox', { name: 'Tags' }).fill('City')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Tags' }).fill('long')
  await page.getByRole('button', { name: 'Add' }).click()

  // A reload keeps what was typed. Files have to be chosen again.
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Over the roofs at dusk.')
  await expect(page.getByRole('button', { name: 'Remove tag long' })).toBeVisible()
  await chooseMapFiles(page, replay(map, author, '00:58.40'))
  await expect(page.getByRole('textbox', { name: 'Author time' })).toHaveValue('00:58.40')
  await expect(page.getByRole('textbox', { name: 'Author time' })).not.toBeEditable()
  const gold = page.getByRole('textbox', { name: 'Gold medal time' })
  await expect(gold).toHaveValue('01:01.90')

  // Medals out of order are refused, and what was entered stays.
  const submit = page.getByRole('button', { name: 'Submit for Validation' })
  await gold.fill('')
  await gold.pressSequentially('004000')
  await expect(gold).toHaveValue('00:40.00')
  await submit.click()
  await expect(page.getByRole('group', { name: 'Please fix the following errors' })).toContainText(
    'The gold time cannot be faster than the author time.',
  )
  await expect(page.getByLabel('Description')).toHaveValue('Over the roofs at dusk.')
  await gold.fill('')
  await gold.pressSequentially('010190')

  // The access token expires in the middle: the page gets a new one by itself.
  let refused = 0
  await page.route('**/api/v1/maps/submit', async (route) => {
    if (refused++ > 0) return route.continue()
    await route.fulfill({ status: 401, json: { success: false, code: 'token_expired', message: 'Expired.' } })
  })
  await submit.click()
  await expect(page.getByText('Map validated successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/leaderboard\/[0-9a-f-]{36}$/)
  expect(refused).toBe(2)
  await expect(page.getByRole('heading', { name: map.name })).toBeVisible()
  await expect(page.getByText('Over the roofs at dusk.')).toBeVisible()
  // The author's record is ranked a moment later, and the page waits for it.
  await expect(leaderboardTable(page).getByRole('row', { name: author })).toBeVisible()
})

test('a player submits records, and is on the leaderboard', async ({ page, player, course }) => {
  const { map } = course
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Submit Record' }).click()
  await expect(page.getByRole('heading', { name: 'Submit Record', level: 1 })).toBeVisible()

  await submitReplay(page, replay(map, course.first.player.name, '00:51.23'))
  await expect(page.getByText('This replay was recorded by another player.').first()).toBeVisible()
  const run = replay(map, player.name, '01:09.90')
  await submitReplay(page, run)
  await expect(page.getByText('Record submitted successfully!')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/leaderboard/${map._id}`))
  const own = leaderboardTable(page).getByRole('row').filter({ hasText: player.name })
  await expect(own).toContainText('01:09.90')
  await expect(own.getByRole('img', { name: 'Silver medal' })).toBeVisible()

  await page.goto(`/replay-submit/${map._id}`)
  await expect(page.getByRole('heading', { name: `Submit Record for ${map.name}` })).toBeVisible()
  await submitReplay(page, run)
  await expect(page.getByText('This replay was submitted before.').first()).toBeVisible()
  await submitReplay(page, replay(map, player.name, '01:01.17'))
  await expect(page).toHaveURL(new RegExp(`/leaderboard/${map._id}`))
  await expect(own).toContainText('01:01.17')
  await expect(own.getByRole('img', { name: 'Gold medal' })).toBeVisible()

  const download = page.waitForEvent('download')
  await own.getByRole('link', { name: /replay/i }).click()
  expect((await download).suggestedFilename()).toMatch(/\.lbReplay$/)
})

test('a player opens their profile and logs out', async ({ page, player }) => {
  await page.goto('/')
  await page.getByRole('button', { name: `Account of ${player.name}` }).click()
  await page.getByRole('menuitem', { name: 'My Profile' }).click()
  await expect(page.getByRole('heading', { name: player.name, level: 1 })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: player.name, level: 1 })).toBeVisible()
  await page.getByRole('button', { name: `Account of ${player.name}` }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page.getByText('Successfully logged out!')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login with Bonk.io' })).toBeVisible()
})
