import { expect, type Page, test } from '@playwright/test'
import { choose, modes, settled } from '../pages'
import { mockApi } from './mockApi'
import { pictures } from './pictures'

for (const mode of modes) {
  test(`pages match their pictures, ${mode}`, async ({ browser }) => {
    for (const { name, path, scenario, loggedIn } of pictures) {
      const page = await browser.newPage()
      await choose(page, mode)
      await mockApi(page, scenario, loggedIn)
      await page.goto(path)
      await settled(page)
      await compare(page, `${name}-${mode}`)
      await page.close()
    }
  })

  test(`components match their picture, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await mockApi(page)
    await page.goto('/e2e/pictures/sheet.html')
    // Not settled: the sheet shows a button that loads, too.
    await page.getByRole('heading', { name: 'Components', exact: true }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    await compare(page, `components-${mode}`)
  })

  test(`toasts match their picture, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await mockApi(page)
    await page.goto('/e2e/pictures/sheet.html#toasts')
    // A pointer on a toast keeps all of them, and shows them beside each other.
    await page.getByText('Failed to submit record').hover()
    await page.evaluate(() => document.fonts.ready)
    await expect.soft(page).toHaveScreenshot(`toasts-${mode}.png`)
  })
}

async function compare(page: Page, name: string): Promise<void> {
  // The header is sticky, and the leaderboard scrolls to the highlighted record.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect.soft(page).toHaveScreenshot(`${name}.png`, { fullPage: true })
}
