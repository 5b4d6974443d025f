import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import type { Decision, DecisionKind, DecisionRequest, PublicReason, SubjectKind } from '@/api/desk'
import type { Refusal } from '@/api/error'
import { chosen, type LookupEntry, lookupEntry } from '@/forms'
import { lengthOf } from '@/forms/characters'
import { DAY_MS } from '@/ui/format'
import { dayOf } from './days'

export const MIN_TEXT = 10
export const MAX_TEXT = 500

/** The public reasons of a decision about each kind of thing. */
export const PUBLIC_REASONS: Record<SubjectKind, readonly PublicReason[]> = {
  record: ['not_own_play', 'edited', 'wrong_map', 'mistake', 'other'],
  map: ['stolen', 'broken', 'indecent', 'duplicate', 'mistake', 'other'],
  player: ['alt_account', 'name', 'avatar', 'not_own_play', 'edited', 'mistake', 'other'],
}

/** How long a ban lasts: a number of days, 'never' for one without an end, or 'date' for another day. */
export type Duration = '1' | '3' | '7' | '30' | '90' | '365' | 'never' | 'date'

/** What is entered, by the names that the server gives the fields. */
export interface DecisionValues {
  kind: DecisionKind | ''
  publicReason: PublicReason | ''
  text: string
  until: Duration
  untilDay: string
  records: 'hide' | 'keep'
  /** The player into whom another is merged. */
  intoId: LookupEntry
}

const FIELDS: Record<string, string> = {
  decision_not_applicable: 'kind',
  public_reason: 'publicReason',
  decision_text: 'text',
  ban_until: 'until',
  merge_into: 'intoId',
}

/** Returns the field that a refusal with this code is about, in the forms of decisions and their undoing. */
export const fieldOf = (code: string): string | undefined => FIELDS[code]

/** Returns the error of a decision that the service that carries it out has refused. */
export const refusedDecision = (refusal: Decision['refusal']): Refusal => ({
  status: 409,
  code: refusal?.code ?? '',
  reason: '',
  message: refusal?.message ?? '',
  errors: [],
  data: {},
})

export const NO_DECISION: DecisionValues = {
  kind: '',
  publicReason: '',
  text: '',
  until: '7',
  untilDay: '',
  records: 'hide',
  intoId: lookupEntry(null),
}

const LONGEST_DAYS = 3650

/** The rule of a text that says why, for its subject and the audit log. */
export const reasonText = () =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => lengthOf(text) >= MIN_TEXT, t`Say why in at least ${MIN_TEXT} characters.`),
    v.check((text) => lengthOf(text) <= MAX_TEXT, t`Use at most ${MAX_TEXT} characters.`),
  )

export const chosenReason = () => chosen<PublicReason>(t`Choose the public reason`)

/** The rules of a decision. They give what the server takes. */
export function decisionSchema({ kind, until }: DecisionValues) {
  const banUntilDay = kind === 'ban' && until === 'date'
  return v.pipe(
    v.object({
      kind: chosen<DecisionKind>(t`Choose a decision`),
      publicReason: chosenReason(),
      text: reasonText(),
      until: v.custom<Duration>(() => true),
      untilDay: v.pipe(
        v.string(),
        v.transform(dayOf),
        v.check((day) => !banUntilDay || isLater(day), t`Choose a day after today, at most ten years from now.`),
      ),
      records: v.custom<DecisionValues['records']>(() => true),
      intoId: v.pipe(
        v.custom<LookupEntry>(() => true),
        v.check(({ chosen }) => kind !== 'merge' || chosen !== null, t`Choose the player to merge this one into`),
        v.transform(({ chosen }) => chosen?._id ?? ''),
      ),
    }),
    v.transform(requestOf),
  )
}

function isLater(day: Date | null): boolean {
  const ms = day ? day.getTime() - Date.now() : 0
  return ms > 0 && ms < LONGEST_DAYS * DAY_MS
}

interface Chosen {
  kind: DecisionKind
  publicReason: PublicReason
  text: string
  until: Duration
  untilDay: Date | null
  records: DecisionValues['records']
  intoId: string
}

function requestOf({ kind, publicReason, text, until, untilDay, records, intoId }: Chosen): DecisionRequest {
  const request = { kind, publicReason, text }
  if (kind === 'merge') return { ...request, intoId }
  if (kind !== 'ban') return request
  const end = endOf(until, untilDay)
  return { ...request, keepRecords: records === 'keep', ...(end && { until: end }) }
}

function endOf(until: Duration, day: Date | null): string | null {
  if (until === 'never') return null
  const end = until === 'date' && day ? day : new Date(Date.now() + Number(until) * DAY_MS)
  return end.toISOString()
}
