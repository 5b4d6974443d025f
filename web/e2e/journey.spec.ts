import { expect, test } from '@playwright/test'
import { leaderboardTable } from './pages'
import { joinRoom, logIn, logInQuickly, sample, submitReplay } from './person'

// From an empty site to a leaderboard. Each test needs the ones before it.
test.describe.configure({ mode: 'serial' })

test('an author logs in, after a wrong code, and submits a map', async ({ page }) => {
  await page.goto('/map-submit')
  await expect(page.getByText('Authentication Required')).toBeVisible()
  await expect(page.getByText('You must be logged in to validate maps.')).toBeVisible()
  await expect(page).toHaveURL('/login-with-bonk')
  await expect(page.getByText('Waiting for you to join the room...')).toBeVisible()

  const code = await joinRoom(page, 'cloudstep')
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
  await expect(page.getByRole('button', { name: 'Account of cloudstep' })).toBeVisible()

  await page.getByRole('link', { name: 'Capzone, home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Find a map. Beat the clock.' })).toBeVisible()
  await page.getByRole('button', { name: 'Submit', exact: true }).hover()
  await page.getByRole('link', { name: 'Submit Map' }).click()
  await expect(page.getByRole('heading', { name: 'Map Validation' })).toBeVisible()
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  const errors = page.getByRole('alert').filter({ hasText: 'Please fix the following errors' })
  await expect(errors).toContainText('Replay file is required')
  await expect(errors).toContainText('Map image is required')
  await expect(page.getByText('Validation Error')).toBeVisible()

  const image = page.getByLabel('Map image (.webp)')
  await image.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
  await expect(page.getByText('Invalid image type. Please use JPG, PNG or WebP')).toBeVisible()
  const replay = page.getByLabel('Replay (.lbReplay)')
  await replay.setInputFiles({ name: 'a.lbReplay', mimeType: '', buffer: Buffer.from('<html></html>') })
  await expect(page.getByText('Invalid replay file format')).toBeVisible()
  await replay.setInputFiles({ name: 'a.lbReplay', mimeType: '', buffer: Buffer.alloc((5 << 20) + 1) })
  await expect(page.getByText('File too large. Maximum size is 5 MB')).toBeVisible()

  await replay.setInputFiles(sample('skyline-run-cloudstep.lbReplay'))
  await image.setInputFiles(sample('skyline-run.png'))
  await expect(page.getByAltText('Preview of the map image')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Replay info' })).toContainText('1178052')
  await page.getByLabel('Description').fill('Over the roofs at dusk.')
  await page.getByRole('textbox', { name: 'Tags' }).fill('City')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Tags' }).fill('long')
  await page.getByRole('button', { name: 'Add' }).click()

  // A reload keeps what was typed. Files have to be chosen again.
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Over the roofs at dusk.')
  await expect(page.getByRole('button', { name: 'Remove tag long' })).toBeVisible()
  await replay.setInputFiles(sample('skyline-run-cloudstep.lbReplay'))
  await image.setInputFiles(sample('skyline-run.png'))
  await expect(page.getByRole('textbox', { name: 'Author time' })).toHaveValue('00:58.40')
  await expect(page.getByRole('textbox', { name: 'Author time' })).not.toBeEditable()
  const gold = page.getByRole('textbox', { name: 'Gold medal time' })
  await expect(gold).toHaveValue('01:01.90')

  // Medals out of order are refused, and what was entered stays.
  await gold.fill('')
  await gold.pressSequentially('004000')
  await expect(gold).toHaveValue('00:40.00')
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(errors).toContainText('The gold time cannot be faster than the author time.')
  await expect(page.getByLabel('Description')).toHaveValue('Over the roofs at dusk.')
  await gold.fill('')
  await gold.pressSequentially('010190')

  // The access token expires in the middle: the page gets a new one by itself.
  let refused = 0
  await page.route('**/api/v1/maps/submit', async (route) => {
    if (refused++ > 0) return route.continue()
    await route.fulfill({ status: 401, json: { success: false, code: 'token_expired', message: 'Expired.' } })
  })
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText('Map validated successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/leaderboard\/[0-9a-f-]{36}$/)
  expect(refused).toBe(2)
  await expect(page.getByRole('heading', { name: 'Skyline Run' })).toBeVisible()
  await expect(page.getByText('Over the roofs at dusk.')).toBeVisible()
  // The author's record is ranked a moment later, and the page waits for it.
  await expect(leaderboardTable(page).getByRole('row', { name: /cloudstep/ })).toBeVisible()
})

test('a map that was submitted before is refused with a link to it', async ({ page }) => {
  await logInQuickly(page, 'cloudstep')
  await page.goto('/map-submit')
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(sample('skyline-run-cloudstep.lbReplay'))
  await page.getByLabel('Map image (.webp)').setInputFiles(sample('skyline-run.png'))
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText('This map was submitted before.').first()).toBeVisible()
  await page.getByRole('link', { name: 'See the map that exists already' }).click()
  await expect(page.getByRole('heading', { name: 'Skyline Run' })).toBeVisible()
})

test('only the author or a validator can submit a map', async ({ page }) => {
  await logInQuickly(page, 'mossfoot')
  await page.goto('/map-submit')
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(sample('skyline-run-mossfoot.lbReplay'))
  await page.getByLabel('Map image (.webp)').setInputFiles(sample('skyline-run.png'))
  await expect(page.getByText('This map is by cloudstep')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Gold medal time' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText("Only the map's author or a validator can submit this map.").first()).toBeVisible()
})

test('a player logs in, submits records, and is on the leaderboard', async ({ page }) => {
  await logIn(page, 'mossfoot')
  await page.getByRole('banner').getByRole('link', { name: 'Submit Record' }).click()
  await expect(page.getByRole('heading', { name: 'Submit Record', level: 1 })).toBeVisible()

  await submitReplay(page, 'skyline-run-riverfox.lbReplay')
  await expect(page.getByText('This replay was recorded by another player.').first()).toBeVisible()
  await submitReplay(page, 'skyline-run-mossfoot.lbReplay')
  await expect(page.getByText('Record submitted successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/leaderboard\//)
  const own = leaderboardTable(page).getByRole('row').filter({ hasText: 'mossfoot' })
  await expect(own).toContainText('01:03.17')
  await expect(own.getByRole('img', { name: 'Silver medal' })).toBeVisible()

  const map = new URL(page.url()).pathname.split('/').at(-1)
  await page.goto(`/replay-submit/${map}`)
  await expect(page.getByRole('heading', { name: 'Submit Record for Skyline Run' })).toBeVisible()
  await page.getByLabel('Replay (.lbReplay)').setInputFiles({
    name: 'rooftops.lbReplay',
    mimeType: '',
    buffer: Buffer.from('Map Name: Rooftops\nMap ID: 77\nFinish Time: 00:41.27\nPlayer: mossfoot\nValidated: true\n'),
  })
  await expect(page.getByRole('region', { name: 'Replay info' })).toContainText('Rooftops')
  await page.getByRole('form').getByRole('button', { name: 'Submit Record' }).click()
  await expect(
    page.getByRole('form').getByText('This replay is not for the selected map "Skyline Run"').first(),
  ).toBeVisible()
  await submitReplay(page, 'skyline-run-mossfoot.lbReplay')
  await expect(page.getByText('This replay was submitted before.').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'See the record that exists already' })).toBeVisible()
  await submitReplay(page, 'skyline-run-mossfoot-faster.lbReplay')
  await expect(page).toHaveURL(new RegExp(`/leaderboard/${map}`))
  await expect(own).toContainText('00:59.93')
  await expect(own.getByRole('img', { name: 'Gold medal' })).toBeVisible()

  const download = page.waitForEvent('download')
  await own.getByRole('link', { name: /replay/i }).click()
  expect((await download).suggestedFilename()).toMatch(/\.lbReplay$/)
})

test('the records of other players are listed in order', async ({ page }) => {
  for (const name of ['riverfox', 'pebblehop', 'nightlark']) {
    await page.context().clearCookies()
    await logInQuickly(page, name)
    await page.goto('/replay-submit')
    await submitReplay(page, `skyline-run-${name}.lbReplay`)
    await expect(page).toHaveURL(/\/leaderboard\//)
  }
  const players = leaderboardTable(page).getByRole('row')
  await expect(players).toHaveCount(6)
  for (const [i, name] of ['riverfox', 'cloudstep', 'mossfoot', 'pebblehop', 'nightlark'].entries()) {
    await expect(players.nth(i + 1)).toContainText(name)
  }
})

test('a player opens their profile and logs out', async ({ page }) => {
  await logInQuickly(page, 'mossfoot')
  await page.goto('/')
  await page.getByRole('button', { name: 'Account of mossfoot' }).click()
  await page.getByRole('menuitem', { name: 'My Profile' }).click()
  await expect(page.getByRole('heading', { name: 'mossfoot', level: 1 })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'mossfoot', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Account of mossfoot' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page.getByText('Successfully logged out!')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login with Bonk.io' })).toBeVisible()
})
