import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import type { InboxGroup, NotificationKind } from '@/api'
import { formatPointsChange } from '@/entities/points/format'
import { formatTime } from '@/entities/record/raceTime'
import { paths } from '@/routes/paths'

/** The kinds of notifications in the order in which a menu lists them, each with its name. */
export const KINDS: Record<NotificationKind, MessageDescriptor> = {
  record_lost: msg`Somebody breaks your world record`,
  record_regained: msg`You hold a world record again`,
  passed: msg`Somebody passes you`,
  record_on_my_map: msg`New records on your maps`,
  followed_record: msg`New records of players whom you follow`,
  followed_map_record: msg`New records on maps that you follow`,
  map_new_version: msg`New versions of maps`,
  report_decided: msg`Decisions about your reports`,
  moderated: msg`Decisions about your records`,
  appeal_answered: msg`Answers to your appeals`,
  webhook_off: msg`Your webhooks that were switched off`,
}

export const isKind = (text: string | null): text is NotificationKind => text !== null && Object.hasOwn(KINDS, text)

/** What a sentence is made of. */
type Facts = Pick<InboxGroup, 'map' | 'count' | 'actors' | 'actorCount'>

/** Returns what happened, as a sentence. A newer server may send a kind that this page does not know. */
export function sentenceOf(group: InboxGroup): string {
  const { kind, map } = group
  if (isKind(kind)) return sentences[kind](group)
  return map ? t`There is something new about ${map.name}` : t`There is something new for you`
}

const sentences: Record<NotificationKind, (facts: Facts) => string> = {
  record_lost: (facts) => {
    const { name, map } = namesOf(facts)
    return plural(facts.count, {
      one: `${name} broke your world record on ${map}`,
      other: `Your world record on ${map} was broken # times, the last time by ${name}`,
    })
  },
  record_regained: (facts) => {
    const { map } = namesOf(facts)
    return plural(facts.count, {
      one: `You hold the world record on ${map} again`,
      other: `You got the world record on ${map} back # times`,
    })
  },
  passed: (facts) => {
    const { name, map } = namesOf(facts)
    return plural(facts.actorCount, {
      one: `${name} passed you on ${map}`,
      other: `# players passed you on ${map}`,
    })
  },
  record_on_my_map: (facts) => {
    const { name, map } = namesOf(facts)
    if (facts.actorCount > 1)
      return plural(facts.actorCount, { other: `# players have new records on your map ${map}` })
    return plural(facts.count, {
      one: `${name} has a new record on your map ${map}`,
      other: `${name} has # new records on your map ${map}`,
    })
  },
  followed_record: (facts) => {
    const { name, map } = namesOf(facts)
    if (facts.actorCount > 1) {
      return plural(facts.actorCount, { other: `# players whom you follow have new records on ${map}` })
    }
    return plural(facts.count, {
      one: `${name}, whom you follow, has a new record on ${map}`,
      other: `${name}, whom you follow, has # new records on ${map}`,
    })
  },
  followed_map_record: (facts) => {
    const { name, map } = namesOf(facts)
    if (facts.actorCount > 1) {
      return plural(facts.actorCount, { other: `# players have new records on ${map}, which you follow` })
    }
    return plural(facts.count, {
      one: `${name} has a new record on ${map}, which you follow`,
      other: `${name} has # new records on ${map}, which you follow`,
    })
  },
  map_new_version: (facts) => {
    const { map } = namesOf(facts)
    return plural(facts.count, { one: `${map} has a new version`, other: `${map} has # new versions` })
  },
  report_decided: ({ map, count }) => {
    if (!map) return plural(count, { one: 'Your report was decided', other: '# of your reports were decided' })
    return plural(count, {
      one: `Your report about ${map.name} was decided`,
      other: `# of your reports about ${map.name} were decided`,
    })
  },
  moderated: ({ map, count }) => {
    if (!map)
      return plural(count, { one: 'A moderator decided about you', other: 'Moderators made # decisions about you' })
    return plural(count, {
      one: `A moderator decided about your record on ${map.name}`,
      other: `Moderators made # decisions about your records on ${map.name}`,
    })
  },
  appeal_answered: ({ map, count }) => {
    if (!map) return plural(count, { one: 'Your appeal was answered', other: '# of your appeals were answered' })
    return plural(count, {
      one: `Your appeal about ${map.name} was answered`,
      other: `# of your appeals about ${map.name} were answered`,
    })
  },
  webhook_off: ({ count }) =>
    plural(count, {
      one: 'A webhook of yours was switched off, because nothing reaches its receiver',
      other: 'Webhooks of yours were switched off # times, because nothing reaches their receivers',
    }),
}

const namesOf = ({ actors: [latest], map }: Facts) => ({
  name: latest?.name ?? t`Somebody`,
  map: map?.name ?? t`a map`,
})

/** Returns the page that shows what happened, or null where there is none. */
export function linkOf({ kind, map, recordId, removedSince, decisionId }: InboxGroup): string | null {
  if (decisionId) return paths.decision(decisionId)
  if (kind === 'moderated' || kind === 'appeal_answered') return paths.decisions
  if (kind === 'webhook_off') return paths.webhooks
  if (kind === 'passed' && map) return paths.leaderboardAroundMe(map._id)
  // The page of a record that was removed says only that there is none.
  if (recordId && !removedSince) return paths.record(recordId)
  return map && paths.leaderboard(map._id)
}

/** Returns the time of the newest record with that of the receiver which it has passed, or null where there is none. */
export function timesOf({ finishTime, ownFinishTime }: InboxGroup): string | null {
  if (finishTime === null) return null
  const time = formatTime(finishTime)
  if (ownFinishTime === null) return time
  if (ownFinishTime === finishTime) return t`${time}, equal to yours and set earlier`
  const own = formatTime(ownFinishTime)
  return t`${time}, yours ${own}`
}

/** Returns what the records have cost the receiver, or null where that is nothing or not known yet. */
export function pointsOf({ pointsLost }: InboxGroup): string | null {
  if (pointsLost === null) return null
  const change = formatPointsChange(-pointsLost)
  return t`${change} points`
}

/** Returns the change of the receiver's place, or null where it stayed. */
export function placesOf({ from, to }: InboxGroup): string | null {
  if (from === null || to === null || from === to) return null
  return t`From place ${from} to ${to}`
}
