import { expect, test } from '@playwright/test'
import { choose, everyRoute, loadWhole, modes, settled } from './pages'
import { logInQuickly, sample } from './person'

const sizes = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
]

// For inspection: nothing is compared. They are written to screenshots/, which git ignores.
for (const mode of modes) {
  for (const size of sizes) {
    test(`every route, ${mode}, ${size.width} px wide`, async ({ page }) => {
      await page.setViewportSize(size)
      await choose(page, mode)
      for (const { name, path } of await everyRoute(page)) {
        await page.goto(path)
        await settled(page)
        await loadWhole(page)
        await page.screenshot({ path: `screenshots/${name}-${size.width}-${mode}.png`, fullPage: true })
      }
    })

    test(`the forms, ${mode}, ${size.width} px wide`, async ({ page }) => {
      await page.setViewportSize(size)
      await choose(page, mode)
      const shoot = async (name: string) => {
        await page.evaluate(() => scrollTo(0, 0))
        await page.screenshot({ path: `screenshots/${name}-${size.width}-${mode}.png`, fullPage: true })
      }
      await page.goto('/login-with-bonk')
      const room = await page.getByRole('link', { name: 'Join Verification Room' }).getAttribute('href')
      await page.request.post(`${room}/join`, { data: { name: 'pebblehop', level: 3 } })
      await expect(page.getByLabel('Enter the 6-digit code')).toBeFocused()
      await shoot('login-code')

      await page.context().clearCookies()
      await logInQuickly(page, 'cloudstep')
      await page.goto('/map-submit')
      await page.getByRole('button', { name: 'Submit for Validation' }).click()
      await expect(page.getByText('Please fix the following errors')).toBeVisible()
      await shoot('map-submit-errors')
      await page.getByLabel('Replay (.lbReplay)').setInputFiles(sample('skyline-run-cloudstep.lbReplay'))
      await page.getByLabel('Map image (.webp)').setInputFiles(sample('skyline-run.png'))
      await expect(page.getByRole('textbox', { name: 'Gold medal time' })).toBeVisible()
      await shoot('map-submit')
      await page.goto('/replay-submit')
      await settled(page)
      await shoot('replay-submit')
    })
  }
}
