import { readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { LANGUAGES } from '../src/locales/languages'
import { textsOfPage } from '../src/test/textsOfPage'
import { expect, test } from './fixtures'
import { joinRoom, settled } from './pages'
import { replay } from './replays'
import { unique } from './site'

for (const language of Object.keys(LANGUAGES).filter((code) => code !== 'en')) {
  test(`a player does the main job in ${language}, without an English sentence`, async ({ browser, course }) => {
    const { say, fragments } = await readCatalogues(language)
    const context = await browser.newContext({ locale: language, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const expectNoEnglish = async () => {
      await settled(page)
      await expect(async () =>
        expect(english(await page.evaluate(textsOfPage), fragments), page.url()).toEqual([]),
      ).toPass()
    }
    const name = unique('viajera')

    await page.goto('/map-search')
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await page.getByRole('main').getByRole('searchbox').fill(course.map.name)
    await page.keyboard.press('Enter')
    await page.getByRole('article').getByRole('link', { name: course.map.name }).click()
    await expect(page.getByRole('heading', { level: 1, name: course.map.name })).toBeVisible()
    await expectNoEnglish()

    await page
      .locator('.stage')
      .getByRole('link', { name: say('Submit Record') })
      .click()
    await expect(page).toHaveURL('/login-with-bonk')
    await expectNoEnglish()
    const code = await joinRoom(page, name, say('Join Verification Room'))
    await page.getByLabel(say('Enter the 6-digit code')).pressSequentially(code)
    await expect(page).toHaveURL(`/replay-submit/${course.map._id}`)
    await expectNoEnglish()

    const run = replay(course.map, name, '01:50.10')
    await page.getByLabel(say('Replay (.lbReplay)')).setInputFiles(run)
    await expect(page.getByRole('region', { name: say('Replay info') })).toContainText(run.finishTime)
    await expectNoEnglish()
    await page
      .getByRole('form')
      .getByRole('button', { name: say('Submit Record') })
      .click()
    await expect(page).toHaveURL(/\/leaderboard\/.*record=/)
    await expectNoEnglish()

    await page.goto(`/record/${course.last._id}`)
    await page.getByRole('button', { name: say('Report') }).click()
    await page.getByLabel(say('What is wrong?')).selectOption(say('The replay was edited'))
    await expectNoEnglish()
    await page.getByRole('button', { name: say('Send report') }).click()
    await expect(page.getByText(say('Thank you for your report'))).toBeVisible()
    await expectNoEnglish()

    await page.goto('/settings/notifications')
    await page.getByLabel(say('Somebody passes you')).selectOption(say('Off'))
    await page.getByRole('button', { name: say('Save') }).click()
    await expect(page.getByText(say('Settings saved'))).toBeVisible()
    await expectNoEnglish()
    await context.close()
  })
}

test('a second browser follows the account', async ({ browser, page, player }) => {
  await page.goto('/settings')
  const stored = page.waitForResponse('**/api/v1/me/account')
  await page.getByRole('main').getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  expect((await stored).ok()).toBe(true)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')

  const context = await browser.newContext({ locale: 'en-GB' })
  const second = await context.newPage()
  await second.goto('/login-with-bonk')
  await expect(second.locator('html')).toHaveAttribute('lang', 'en')
  const opened = await second.evaluateHandle(() => document)
  const code = await joinRoom(second, player.name)
  await second.getByLabel('Enter the 6-digit code').pressSequentially(code)
  await expect(second.locator('html')).toHaveAttribute('lang', 'de')
  expect(await opened.evaluate((before) => before === document), 'no reload').toBe(true)

  const { say } = await readCatalogues('de')
  await second.goto('/settings')
  await second.getByRole('button', { name: say('Log Out') }).click()
  await expect(second).toHaveURL('/')
  await second.reload()
  await expect(second.locator('html')).toHaveAttribute('lang', 'de')
  await context.close()
})

/** Returns what gives an English sentence in a language, and the English texts that must not be on a page. */
async function readCatalogues(language: string) {
  const read = async (locale: string) => {
    const filename = `src/locales/${locale}.po`
    return formatter().parse(readFileSync(filename, 'utf8'), { locale, sourceLocale: 'en', filename })
  }
  const [source, translated] = await Promise.all([read('en'), read(language)])
  const pairs = Object.entries(source).map(
    ([id, { translation = '' }]) => [translation, translated[id]?.translation ?? ''] as const,
  )
  const plain = Object.entries(source).filter(([, { context }]) => !context)
  const translations = new Map(plain.map(([id, { translation = '' }]) => [translation, translated[id]?.translation]))
  const foreign = new Set(pairs.flatMap(([, translation]) => fragmentsOf(translation)))
  const fragments = new Set(pairs.flatMap(([sentence]) => fragmentsOf(sentence)).filter((text) => !foreign.has(text)))
  const say = (sentence: string) => translations.get(sentence) ?? sentence
  return { say, fragments }
}

// fragmentsOf returns the texts of a sentence between its placeholders and tags. Those with choices are left out.
const fragmentsOf = (sentence: string) =>
  /\{[^}]*,/.test(sentence)
    ? []
    : sentence
        .split(/<\/?\d+\/?>|\{\w+\}/)
        .map((text) => text.trim())
        .filter((text) => /\p{L}{2}/u.test(text))

// english returns the texts that are English: an English fragment alone, or one of several words among others.
const english = (texts: string[], fragments: Set<string>) =>
  texts
    .map((text) => text.trim())
    .filter(
      (text) =>
        fragments.has(text) ||
        [...fragments].some((fragment) => fragment.split(' ').length > 3 && text.includes(fragment)),
    )
