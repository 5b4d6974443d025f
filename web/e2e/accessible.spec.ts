import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { choose, everyRoute, modes, playerRoutes, settled, showResult } from './pages'
import { logInQuickly, sample } from './person'

async function problems(page: Page): Promise<string[]> {
  // What is half below the sticky header would be too small a target.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

for (const mode of modes) {
  test(`axe finds nothing on any route, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const { name, path } of await everyRoute(page)) {
      await page.goto(path)
      await settled(page)
      expect.soft(await problems(page), name).toEqual([])
    }
  })

  test(`axe finds nothing on the forms, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await logInQuickly(page, 'cloudstep')
    for (const { name, path } of await playerRoutes(page)) {
      await page.goto(path)
      await settled(page)
      expect.soft(await problems(page), name).toEqual([])
    }
    await page.goto('/map-submit')
    await settled(page)
    await page.getByRole('button', { name: 'Rules' }).click()
    await page.getByRole('button', { name: 'Submit for Validation' }).click()
    await expect(page.getByText('Please fix the following errors')).toBeVisible()
    await page.getByLabel('Replay (.lbReplay)').setInputFiles(sample('skyline-run-cloudstep.lbReplay'))
    await page.getByLabel('Map image (.webp)').setInputFiles(sample('skyline-run.png'))
    await page.getByRole('textbox', { name: 'Tags' }).fill('city')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Gold medal time' })).toBeVisible()
    expect.soft(await problems(page), 'map-submit with files').toEqual([])

    await page.goto('/replay-submit')
    await settled(page)
    await page.getByLabel('Replay (.lbReplay)').setInputFiles(sample('skyline-run-cloudstep.lbReplay'))
    await expect(page.getByRole('heading', { name: 'Replay info' })).toBeVisible()
    expect.soft(await problems(page), 'replay-submit with a file').toEqual([])
  })

  test(`axe finds nothing in menus, dialogs and results, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/map-search')
    await settled(page)
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect(page.getByRole('group', { name: 'Popular tags' })).toBeVisible()
    expect.soft(await problems(page), 'filters').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'List view' }).click()
    await expect(page.getByRole('table')).toBeVisible()
    expect.soft(await problems(page), 'list view').toEqual([])
    await page.getByRole('searchbox', { name: 'Search maps and players' }).fill('moss')
    await expect(page.getByRole('link', { name: 'Players named “moss”' })).toBeVisible()
    expect.soft(await problems(page), 'search in the header').toEqual([])

    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    await settled(page)
    expect.soft(await problems(page), 'home on a phone').toEqual([])
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible()
    expect.soft(await problems(page), 'menu on a phone').toEqual([])

    await logInQuickly(page, 'cloudstep')
    await page.goto('/')
    await settled(page)
    await page.getByRole('button', { name: 'Account of cloudstep' }).click()
    expect.soft(await problems(page), 'account menu').toEqual([])
    await page.getByRole('menuitem', { name: 'My Profile' }).click()
    await page.getByRole('button', { name: 'Edit avatar' }).click()
    await expect(page.getByRole('dialog', { name: 'Edit avatar' })).toBeVisible()
    expect.soft(await problems(page), 'avatar dialog').toEqual([])
  })

  test(`axe finds nothing on the result of a submission, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await showResult(page)
    expect(await problems(page)).toEqual([])
  })

  test(`axe finds nothing on the code entry, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/login-with-bonk')
    const room = await page.getByRole('link', { name: 'Join Verification Room' }).getAttribute('href')
    await page.request.post(`${room}/join`, { data: { name: 'pebblehop', level: 3 } })
    await expect(page.getByLabel('Enter the 6-digit code')).toBeFocused()
    expect(await problems(page)).toEqual([])
  })
}
