import { test } from '@playwright/test'
import { choose, everyRoute, modes, settled } from './pages'

const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

// To be looked at: nothing is compared. They are written to screenshots/, which git ignores.
for (const mode of modes) {
  for (const size of sizes) {
    test(`every route, ${mode}, ${size.width} px wide`, async ({ page }) => {
      test.setTimeout(120_000)
      await page.setViewportSize(size)
      await choose(page, mode)
      for (const { name, path } of await everyRoute(page)) {
        await page.goto(path)
        await settled(page)
        await page.screenshot({ path: `screenshots/${name}-${size.width}-${mode}.png`, fullPage: true })
      }
    })
  }
}
