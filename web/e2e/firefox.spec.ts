import { writeFile } from 'node:fs/promises'
import { test as base, expect } from '@playwright/test'
import puppeteer, { type Browser, type ElementHandle, type Page, Puppeteer } from 'puppeteer-core'
import { replay, sample } from './replays'
import { newGameMap, unique } from './site'

// The journey in Debian's Firefox. Playwright drives a Firefox of its own only, so Puppeteer does it, by WebDriver BiDi.
// Puppeteer's own search by role and name asks Firefox for the accessible name of each element of the document. On a busy
// machine that took more than 30 s for one attempt, and an error in it ended the attempts.
Puppeteer.registerCustomQueryHandler('named', {
  queryOne: (root, selector) => {
    const [role = '', ...words] = selector.split(' ')
    const elements = {
      button: 'button',
      heading: 'h1, h2, h3',
      link: 'a',
      menuitem: '[role=menuitem]',
      textbox: 'input, textarea',
    }[role]
    const nameOf = (element: Element) => {
      const [label = element] = (element as HTMLInputElement).labels ?? []
      return element.ariaLabel ?? (label as HTMLElement).innerText
    }
    const found = [...(root as ParentNode).querySelectorAll(elements ?? '')].filter((e) => e.checkVisibility())
    return found.find((element) => nameOf(element).trim() === words.join(' ')) ?? null
  },
})

const test = base.extend<{ visitor: Page }, { firefox: Browser }>({
  firefox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const firefox = await puppeteer.launch({
        browser: 'firefox',
        executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
      })
      await use(firefox)
      await firefox.close()
    },
    { scope: 'worker' },
  ],
  // A page without cookies or storage of other tests.
  visitor: async ({ firefox, baseURL }, use) => {
    const context = await firefox.createBrowserContext()
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(baseURL ?? '')
    await use(page)
    await context.close()
  },
})

test('an author logs in, submits a map and a record, and is on the leaderboard, in Firefox', async ({
  visitor,
  baseURL,
}, info) => {
  const author = unique('cloud')
  const map = newGameMap(author)
  const save = async (name: string, time: string) => {
    const path = info.outputPath(name)
    await writeFile(path, replay(map, author, time).buffer)
    return path
  }
  await visitor.goto(`${baseURL}/map-submit`)
  await shows(visitor, 'You must be logged in to validate maps.')
  await logIn(visitor, author)
  // The login leads back to the page that required it.
  await find(visitor, 'heading', 'Map Validation')

  await choose(visitor, '.lbReplay', await save('map.lbReplay', '00:58.40'))
  await choose(visitor, '.webp', sample('skyline-run.png'))
  await shows(visitor, map.name)
  await (await find(visitor, 'textbox', 'Description')).type('Through the old works.')
  const tags = await find(visitor, 'textbox', 'Tags')
  await tags.type('Works')
  await tags.press('Enter')
  await find(visitor, 'button', 'Remove tag works')
  await click(visitor, 'button', 'Submit for Validation')
  await shows(visitor, 'Map validated successfully!')
  await find(visitor, 'heading', map.name)
  expect(new URL(visitor.url()).pathname).toMatch(/^\/leaderboard\/[0-9a-f-]{36}$/)
  const rows = () =>
    visitor.$$eval('table[aria-label="Leaderboard"] tbody tr', (found) => found.map(({ innerText }) => innerText))
  await expect.poll(rows).toEqual([expect.stringContaining('00:58.40')])

  await click(visitor, 'link', 'Submit Record')
  await find(visitor, 'heading', 'Submit Record')
  await choose(visitor, '.lbReplay', await save('record.lbReplay', '00:42.13'))
  await find(visitor, 'heading', 'Replay info')
  await click(visitor, 'button', 'Submit Record')
  await shows(visitor, 'Record submitted successfully!')
  await expect.poll(rows).toEqual([expect.stringContaining('00:42.13')])
})

test('a player opens their profile and logs out, in Firefox', async ({ visitor }) => {
  const name = unique('moss')
  await click(visitor, 'link', 'Login with Bonk.io')
  await logIn(visitor, name)
  await click(visitor, 'button', `Account of ${name}`)
  await click(visitor, 'menuitem', 'My Profile')
  await find(visitor, 'heading', name)
  await visitor.reload()
  await find(visitor, 'heading', name)
  await click(visitor, 'button', `Account of ${name}`)
  await click(visitor, 'menuitem', 'Log Out')
  await shows(visitor, 'Successfully logged out!')
  await visitor.reload()
  await find(visitor, 'link', 'Login with Bonk.io')
})

// logIn goes from the login page to the game's room, and enters the code that the bot sends there.
async function logIn(page: Page, name: string): Promise<void> {
  const opened = new Promise<Page | null>((resolve) => page.once('popup', resolve))
  await click(page, 'link', 'Join Verification Room')
  const room = await opened
  if (!room) throw new Error('The room did not open.')
  await (await find(room, 'textbox', 'Name in the game')).type(name)
  await click(room, 'button', 'Join')
  const code = await room.waitForSelector('.code')
  const digits = (await code?.evaluate(({ textContent }) => textContent)) ?? ''
  await room.close()
  await page.bringToFront()
  await (await find(page, 'textbox', 'Enter the 6-digit code')).type(digits)
  await shows(page, 'Successfully logged in!')
  await page.waitForFunction(() => !location.pathname.startsWith('/login'))
}

const named = (role: string, name: string) => `::-p-named("${role} ${name}")`

async function find(page: Page, role: string, name: string): Promise<ElementHandle> {
  const found = await page.waitForSelector(named(role, name), { visible: true })
  if (!found) throw new Error(`There is no ${role} "${name}".`)
  return found
}

/** Clicks on what is there and keeps its place. */
async function click(page: Page, role: string, name: string): Promise<void> {
  await find(page, role, name)
  await page.locator(named(role, name)).click()
}

/** Waits until the page shows a text. */
async function shows(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), {}, text)
}

/** Chooses a file in the field that accepts this kind. */
async function choose(page: Page, kind: string, path: string): Promise<void> {
  const input = await page.waitForSelector(`input[type=file][accept^="${kind}"]`)
  await (input as ElementHandle<HTMLInputElement> | null)?.uploadFile(path)
}
