import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import type { GameMode, Webhook, WebhookCreation, WebhookFormat, WebhookType } from '@/api/settings'
import { GAME_MODES } from '@/entities/map/modes'
import { type LookupEntry, lookupEntry } from '@/forms'
import { lengthOf } from '@/forms/characters'

export const MAX_URL = 500
export const MAX_DESCRIPTION = 100

/** The values of the form. Its fields have the server's names. */
export interface WebhookValues {
  url: string
  format: WebhookFormat
  description: string
  filter: { types: WebhookType[]; mode: GameMode | ''; map: LookupEntry; player: LookupEntry }
}

export type WebhookRequest = WebhookCreation & { description: string }

export const NEW_WEBHOOK: WebhookValues = {
  url: '',
  format: 'discord',
  description: '',
  filter: { types: ['worldRecord'], mode: '', map: lookupEntry(null), player: lookupEntry(null) },
}

export const valuesOf = ({ url, format, description, filter }: Webhook): WebhookValues => ({
  url,
  format,
  description,
  filter: {
    types: filter.types,
    mode: filter.mode ?? '',
    map: lookupEntry(filter.map),
    player: lookupEntry(filter.player),
  },
})

// A text for which nothing is chosen does not count as all.
const id = (message: string) =>
  v.pipe(
    v.custom<LookupEntry>(() => true),
    v.check(({ typed, chosen }) => chosen !== null || typed.trim() === '', message),
    v.transform(({ chosen }) => chosen?._id ?? null),
  )

/** Returns the rules of the form. The server checks the address further. */
export const webhookSchema = () =>
  v.object({
    url: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(t`An address is required`),
      v.check((url) => url === '' || /^https:\/\/[^/]/i.test(url), t`The address begins with https://`),
      v.check((url) => lengthOf(url) <= MAX_URL, t`An address has at most ${MAX_URL} characters.`),
    ),
    format: v.picklist(['json', 'discord']),
    description: v.pipe(
      v.string(),
      v.trim(),
      v.check((text) => lengthOf(text) <= MAX_DESCRIPTION, t`A name has at most ${MAX_DESCRIPTION} characters.`),
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
      map: id(t`Choose one of the maps, or clear the field.`),
      player: id(t`Choose one of the players, or clear the field.`),
    }),
  })
