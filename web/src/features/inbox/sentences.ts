import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import type { DecisionKind, InboxAppeal, InboxGroup, InboxLinkKind, NotificationKind } from '@/api'
import { DECIDED, REASONS } from '@/entities/moderation/texts'
import { formatPointsChange } from '@/entities/points/format'
import { formatTime } from '@/entities/record/raceTime'
import { paths } from '@/routes/paths'
import { isolated } from '@/ui/format'

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
type Facts = Omit<InboxGroup, 'kind'>

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
  report_decided: (facts) => {
    const { count, map, player } = facts
    const about = map ? isolated(map.name) : player?.name
    if (!about)
      return decided(plural(count, { one: 'Your report was decided', other: '# of your reports were decided' }), facts)
    return decided(
      plural(count, {
        one: `Your report about ${about} was decided`,
        other: `# of your reports about ${about} were decided`,
      }),
      facts,
    )
  },
  moderated: (facts) => {
    const { count, decision } = facts
    if (!facts.map) {
      return decided(
        plural(count, { one: 'A moderator made a decision about you', other: 'Moderators made # decisions about you' }),
        facts,
      )
    }
    const { map } = namesOf(facts)
    if (decision && OF_MAPS.includes(decision)) {
      return decided(
        plural(count, {
          one: `A moderator made a decision about your map ${map}`,
          other: `Moderators made # decisions about your map ${map}`,
        }),
        facts,
      )
    }
    return decided(
      plural(count, {
        one: `A moderator made a decision about your record on ${map}`,
        other: `Moderators made # decisions about your records on ${map}`,
      }),
      facts,
    )
  },
  appeal_answered: (facts) => {
    const { count, appeal } = facts
    const { map } = namesOf(facts)
    const answered = facts.map
      ? plural(count, {
          one: `Your appeal about ${map} was answered`,
          other: `# of your appeals about ${map} were answered`,
        })
      : plural(count, { one: 'Your appeal was answered', other: '# of your appeals were answered' })
    return withOutcome(answered, count, appeal && i18n._(ANSWERS[appeal]))
  },
  webhook_off: ({ count }) =>
    plural(count, {
      one: 'A webhook of yours was switched off, because nothing reaches its receiver',
      other: 'Webhooks of yours were switched off # times, because nothing reaches their receivers',
    }),
}

const namesOf = ({ actors: [latest], map }: Facts) => ({
  name: latest?.name ?? t`Somebody`,
  map: map ? isolated(map.name) : t`a map`,
})

const OF_MAPS: readonly DecisionKind[] = ['remove_map', 'restore_map', 'unrank_map', 'rank_map']

const ANSWERS: Record<InboxAppeal, MessageDescriptor> = {
  granted: msg`the decision was undone`,
  kept: msg`the decision stays`,
  asked: msg`the moderators ask you something`,
}

// Adds what was decided last, and why.
function decided(sentence: string, { count, decision, publicReason }: Facts): string {
  if (!decision) return sentence
  if (decision === 'dismiss') return withOutcome(sentence, count, t`it was not confirmed`)
  const outcome = i18n._(DECIDED[decision])
  const reason = publicReason && i18n._(REASONS[publicReason])
  return withOutcome(sentence, count, reason ? t`${outcome} (${reason})` : outcome)
}

function withOutcome(sentence: string, count: number, outcome: string | null): string {
  if (!outcome) return sentence
  return plural(count, { one: `${sentence}: ${outcome}`, other: `${sentence}, the last time: ${outcome}` })
}

const LINKS: Record<InboxLinkKind, (id: string) => string> = {
  record: paths.record,
  leaderboard: paths.leaderboard,
  player: paths.player,
  decision: paths.decision,
  webhooks: () => paths.webhooks,
}

/** Returns the page that shows what happened, or null where there is none. */
export function linkOf({ kind, link }: Pick<InboxGroup, 'kind' | 'link'>): string | null {
  if (!link) return null
  const id = link.id ?? ''
  if (kind === 'passed' && link.kind === 'leaderboard') return paths.leaderboardAroundMe(id)
  return LINKS[link.kind]?.(id) ?? null
}

const APPEALABLE: readonly DecisionKind[] = ['remove_record', 'remove_map', 'unrank_map', 'warn', 'ban', 'merge']

/** Returns the page on which the receiver can appeal, or null where there is nothing to appeal. */
export function appealOf({ kind, link, decision }: InboxGroup): string | null {
  if (kind !== 'moderated' || !link?.id || link.kind !== 'decision' || !decision) return null
  return APPEALABLE.includes(decision) ? paths.decision(link.id) : null
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
