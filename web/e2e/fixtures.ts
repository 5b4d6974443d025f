import { type Browser, test as base, type Page } from '@playwright/test'
import { translatePage } from '../src/test/translatePage'
import { type Player, Site, type SiteMap, type SiteRecord } from './site'

/** A map with the records of five players, among them its author. Tests that change its leaderboard make a map of their own. */
export interface Course {
  map: SiteMap
  author: Player
  /** The world record, 00:57.23, which is faster than the author's 00:58.40. */
  first: SiteRecord
  /** 00:59.93, with gold, after a first record with silver. */
  improved: SiteRecord
  /** 01:24.90, with bronze. */
  bronze: SiteRecord
  /** 01:41.33, without a medal. */
  last: SiteRecord
}

interface TestFixtures {
  /** A player who is logged in on the page. */
  player: Player
}

interface WorkerFixtures {
  site: Site
  course: Course
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    async ({ playwright }, use, { project }) => use(new Site(playwright.request, project.use.baseURL ?? '')),
    { scope: 'worker' },
  ],
  course: [async ({ site }, use) => use(await makeCourse(site)), { scope: 'worker' }],
  player: async ({ site, context }, use) => {
    const player = await site.player('otter')
    await context.addCookies(player.cookies)
    await use(player)
  },
})

async function makeCourse(site: Site): Promise<Course> {
  const author = await site.player('cloud')
  const map = await site.map(author)
  const run = async (word: string, ...times: string[]) => {
    const player = await site.player(word)
    const records = []
    for (const time of times) records.push(await site.record(player, map, time))
    return records.at(-1) as SiteRecord
  }
  return {
    map,
    author,
    first: await run('river', '00:57.23'),
    improved: await run('moss', '01:03.17', '00:59.93'),
    bronze: await run('pebble', '01:24.90'),
    last: await run('night', '01:41.33'),
  }
}

/** Opens a browser of its own in which a player is logged in, and which translates each page. */
export async function openAs(browser: Browser, player: Player): Promise<Page> {
  const context = await browser.newContext()
  await context.addInitScript(translatePage)
  await context.addCookies(player.cookies)
  return context.newPage()
}

export { expect } from '@playwright/test'
