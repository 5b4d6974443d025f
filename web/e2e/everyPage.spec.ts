import type { Page } from '@playwright/test'
import { test } from './fixtures'
import {
  expectAccessible,
  expectNoOverflow,
  expectNoShift,
  expectRoomForTexts,
  measureShift,
  playerRoutes,
  settled,
  visitorRoutes,
} from './pages'

// A window of 1280 px at a zoom of 400 % is 320 px wide.
const NARROW = { width: 320, height: 760 }
const WIDE = { width: 1440, height: 760 }
const OTHER_WIDTHS = [390, 820, 1920]

test.beforeEach(({ page }) => measureShift(page))

async function check(page: Page, path: string): Promise<void> {
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size)
    await page.goto(path)
    await settled(page)
    await expectNoShift(page, `${size.width} px`)
    await expectNoOverflow(page, `${size.width} px`)
    await expectRoomForTexts(page, `${size.width} px`)
  }
  for (const width of OTHER_WIDTHS) {
    await page.setViewportSize({ width, height: 760 })
    await expectNoOverflow(page, `${width} px`)
  }
  await page.setViewportSize(WIDE)
  await expectAccessible(page, path)
}

for (const [name, path] of Object.entries(visitorRoutes)) {
  test(`${name} does not shift, fits its window, and axe finds nothing`, async ({ page, course }) => {
    await check(page, path(course))
  })
}

for (const [name, path] of Object.entries(playerRoutes)) {
  test(`${name} of a player does not shift, fits its window, and axe finds nothing`, async ({
    page,
    player: _,
    course,
  }) => {
    await check(page, path(course))
  })
}
