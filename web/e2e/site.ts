import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type APIRequest, type APIRequestContext, type APIResponse, expect, type Page } from '@playwright/test'
import { type GameMap, replay } from './replays'

/** How long what one service does may take to be known to the others. */
const KNOWN_WITHIN_MS = 30_000

/** A player who has logged in, with a name that no other test has. */
export interface Player {
  _id: string
  name: string
  roles: string[]
  token: string
  cookies: Parameters<ReturnType<Page['context']>['addCookies']>[0]
}

/** A map on the site. */
export interface SiteMap extends GameMap {
  _id: string
}

/** A record on the site. */
export interface SiteRecord {
  _id: string
  player: Player
}

/** Returns a word that is like no other, for a name. */
export const unique = (word: string) =>
  word +
  randomInt(36 ** 6)
    .toString(36)
    .padStart(6, '0')

/** Makes what tests need, by the site's API. */
export class Site {
  constructor(
    private readonly api: APIRequest,
    private readonly baseURL: string,
  ) {}

  /** Logs a new player in. */
  player(word: string): Promise<Player> {
    return this.logIn(unique(word))
  }

  /** Logs a player in once more, in a session of its own. */
  async logIn(name: string): Promise<Player> {
    const request = await this.api.newContext({ baseURL: this.baseURL })
    const { sessionId, roomLink } = await json(await request.get('/api/v1/auth/request-room-link'))
    const code = await joinQuickly(request, roomLink, name)
    const { accessToken, player } = await json(
      await request.post('/api/v1/auth/verify-code', { data: { sessionId, code } }),
    )
    const { cookies } = await request.storageState()
    await request.dispose()
    return { _id: player._id, name, roles: player.roles, token: accessToken, cookies }
  }

  /** Submits a new map, or another version of one, and waits until its author's record is ranked. */
  async map(author: Player, map: GameMap = newGameMap(author.name)): Promise<SiteMap> {
    const { data } = await this.submit(author, '/maps/submit', {
      replayFile: replay(map, author.name, '00:58.40'),
      useDrawing: 'true',
      metadata: JSON.stringify({ tags: ['works'] }),
    })
    const { _id } = data
    await this.wait(`/records?map=${_id}`, (records) => expect(records).toHaveLength(1))
    return { ...map, _id }
  }

  /** Submits a record. */
  async record(player: Player, map: SiteMap, finishTime: string): Promise<SiteRecord> {
    const { data } = await this.submit(player, '/records/submit', {
      replayFile: replay(map, player.name, finishTime),
    })
    return { _id: data.record._id, player }
  }

  /** Returns an answer of the API, as a visitor or a player gets it. */
  async read(path: string, player?: Player) {
    return this.get(async (request) => json(await request.get(`/api/v1${path}`, asPlayer(player))))
  }

  /** Waits until an answer of the API is as expected. */
  async wait(path: string, expected: (data: unknown[]) => void, player?: Player): Promise<void> {
    await expect(async () => expected((await this.read(path, player)).data)).toPass({ timeout: KNOWN_WITHIN_MS })
  }

  /** Runs an operators' command of a service of the stack that DATA_DIR names. */
  operate(service: string, ...args: string[]): void {
    const { processes } = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? '', 'stack.json'), 'utf8'))
    const { program, settings } = processes.find(({ kind }: { kind: string }) => kind === service)
    execFileSync(program, args, { env: { ...process.env, ...settings }, stdio: 'pipe' })
  }

  private async submit(player: Player, path: string, multipart: Multipart) {
    return this.get(async (request) =>
      json(await request.post(`/api/v1${path}`, { multipart, headers: { Authorization: `Bearer ${player.token}` } })),
    )
  }

  private async get<T>(ask: (request: APIRequestContext) => Promise<T>): Promise<T> {
    const request = await this.api.newContext({ baseURL: this.baseURL })
    try {
      return await ask(request)
    } finally {
      await request.dispose()
    }
  }
}

type Multipart = NonNullable<NonNullable<Parameters<APIRequestContext['post']>[1]>['multipart']>

/** Returns a map that is not on the site. */
export const newGameMap = (author: string): GameMap => ({
  name: unique('Ridge '),
  author,
  gameId: randomInt(2 ** 31),
})

const asPlayer = (player?: Player) => (player ? { headers: { Authorization: `Bearer ${player.token}` } } : {})

/** Joins a room by its own API and returns the code that the bot sends there. */
export async function joinQuickly(request: APIRequestContext, roomLink: string, name: string): Promise<string> {
  await request.post(`${roomLink}/join`, { data: { name, level: 57, guest: false, skin: { bc: 9315498 } } })
  let code = ''
  await expect(async () => {
    const messages: { text: string }[] = await (await request.get(`${roomLink}/messages`)).json()
    code = messages.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find((found) => found) ?? ''
    expect(code).not.toBe('')
  }).toPass({ timeout: KNOWN_WITHIN_MS, intervals: [50] })
  return code
}

// biome-ignore lint/suspicious/noExplicitAny: an answer has the fields that the contract names.
async function json(response: APIResponse): Promise<any> {
  expect(response.ok(), `${response.url()}: ${await response.text()}`).toBe(true)
  return response.json()
}
