import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import type { GameMode, Webhook, WebhookCreation, WebhookFormat, WebhookType } from '@/api/settings'
import { GAME_MODES } from '@/entities/map/modes'

export const MAX_URL = 500
export const MAX_DESCRIPTION = 100

/** A map or a player that was found by its name. */
export interface Found {
  _id: string
  name: string
}

/** The values of the form. Its fields have the server's names. */
export interface WebhookValues {
  url: string
  format: WebhookFormat
  description: string
  filter: { types: WebhookType[]; mode: GameMode | ''; map: Found | null; player: Found | null }
}

export type WebhookRequest = WebhookCreation & { description: string }

export const NEW_WEBHOOK: WebhookValues = {
  url: '',
  format: 'discord',
  description: '',
  filter: { types: ['worldRecord'], mode: '', map: null, player: null },
}

export const valuesOf = ({ url, format, description, filter }: Webhook): WebhookValues => ({
  url,
  format,
  description,
  filter: { types: filter.types, mode: filter.mode ?? '', map: filter.map, player: filter.player },
})

const id = () =>
  v.pipe(
    v.nullable(v.object({ _id: v.string(), name: v.string() })),
    v.transform((thing) => thing?._id ?? null),
  )

const length = (text: string) => [...text].length

/** Returns the rules of the form. The server checks the address further. */
export const webhookSchema = () =>
  v.object({
    url: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(t`An address is required`),
      v.check((url) => url === '' || /^https:\/\/[^/]/i.test(url), t`The address begins with https://`),
      v.check((url) => length(url) <= MAX_URL, t`An address has at most ${MAX_URL} characters.`),
    ),
    format: v.picklist(['json', 'discord']),
    description: v.pipe(
      v.string(),
      v.trim(),
      v.check((text) => length(text) <= MAX_DESCRIPTION, t`A name has at most ${MAX_DESCRIPTION} characters.`),
    ),
    filter: v.object({
      types: v.pipe(
        v.array(v.picklist(['record', 'worldRecord', 'map', 'player'])),
        v.minLength(1, t`Choose what is sent.`),
      ),
      mode: v.pipe(
        v.picklist(['', ...GAME_MODES]),
        v.transform((mode) => mode || null),
      ),
      map: id(),
      player: id(),
    }),
  })
