import { plural, selectOrdinal, t } from '@lingui/core/macro'
import type { MissingForRank } from '@/api'
import { type QueryError, refusalOf } from '@/api/error'

/** Returns a place, such as 12th. */
export const ordinal = (place: number): string =>
  selectOrdinal(place, { one: '#st', two: '#nd', few: '#rd', other: '#th' })

/** Returns what a player needs who is not in a ranking, from the refusal of the rows around them; null for other errors. */
export function missingOf(error: QueryError): MissingForRank | null {
  const refusal = refusalOf(error)
  return refusal?.code === 'player_unranked' ? (refusal.data.missing as MissingForRank) : null
}

/** Says what a player needs who is not in a ranking. */
export function missingText({ reason, maps, authors }: MissingForRank): string {
  if (reason === 'not_registered') return t`This player has never logged in.`
  if (reason === 'value') return t`Nothing of yours counts towards this ranking yet.`
  if (authors === 0)
    return plural(maps, { one: '# more map must be finished.', other: '# more maps must be finished.' })
  if (maps === 0) {
    return plural(authors, {
      one: 'Maps by # more author must be finished.',
      other: 'Maps by # more authors must be finished.',
    })
  }
  return t`${plural(maps, { one: '# more map', other: '# more maps' })} must be finished, and maps by ${plural(
    authors,
    { one: '# more author', other: '# more authors' },
  )}.`
}

/** Says how a place has changed, such as 12th → 9th; '' where it has not. */
export const placesText = (from: number, to: number): string => (from === to ? '' : `${ordinal(from)} → ${ordinal(to)}`)

/** Says by how many places a player is higher, or lower where it is negative. */
export const movedByText = (places: number): string =>
  places > 0
    ? plural(places, { one: '# place up', other: '# places up' })
    : plural(-places, { one: '# place down', other: '# places down' })
