import { writeFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import cases from '../../game/testdata/cases.json' with { type: 'json' }
import { leaderboardTable } from './pages'
import { logInQuickly } from './person'

// The author changes a map of their own after its submission. Each test needs the ones before it.
test.describe.configure({ mode: 'serial' })

const mapData = (name: string) => cases.maps.find((map) => map.name === name)?.encoded ?? ''

async function chooseReplay(page: Page, path: string, data: string, time: string): Promise<void> {
  const labels = {
    'Finish Time': time,
    'Player Name': 'cloudstep',
    Validated: 'true',
    Timestamp: '2026-05-11T18:02:33.120Z',
    'Map Data': data,
  }
  const lines = Object.entries(labels).map(([label, value]) => `${label}: ${value}\n`)
  await writeFile(path, lines.join(''))
  await page.goto('/map-submit')
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(path)
}

test('an author submits a map with its drawing as the picture', async ({ page }, info) => {
  await logInQuickly(page, 'cloudstep')
  await chooseReplay(page, info.outputPath('first.lbReplay'), mapData('version 12 of the format'), '00:41.27')
  const drawing = page.getByRole('region', { name: 'Drawing of the map' })
  await expect(drawing.getByRole('img', { name: 'The map of the replay' })).toBeVisible()
  await drawing.getByRole('button', { name: 'Use this picture' }).click()
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText('Map validated successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Old Steps' })).toBeVisible()
  const pictures = page.getByRole('complementary', { name: 'Map details' }).locator('img')
  await expect(pictures).toHaveCount(1)
  await expect(pictures).toHaveAttribute('alt', 'Drawing of Old Steps')
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveCount(0)
})

test('a map with other physics becomes a new version, to which the old one leads', async ({ page }, info) => {
  await logInQuickly(page, 'cloudstep')
  await chooseReplay(page, info.outputPath('second.lbReplay'), mapData('version 15 of the format'), '00:39.93')
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText('It is version 2 of the map, with a leaderboard of its own.')).toBeVisible()
  await expect(leaderboardTable(page).getByRole('row', { name: /cloudstep/ })).toContainText('00:39.93')

  const menu = page.getByRole('combobox', { name: 'Version' })
  await expect(menu.getByRole('option')).toHaveText(['2 (newest)', '1'])
  await menu.selectOption('1')
  await expect(page.getByText('This is an old version of the map.')).toBeVisible()
  await expect(leaderboardTable(page).getByRole('row', { name: /cloudstep/ })).toContainText('00:41.27')
  await page.getByRole('link', { name: 'See the newest version' }).click()
  await expect(leaderboardTable(page).getByRole('row', { name: /cloudstep/ })).toContainText('00:39.93')
})
