import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { CaseSubject, Decision, DecisionKind, FlagKind, PublicReason, SubjectKind } from '@/api/desk'
import { formatTime } from '@/entities/record/raceTime'
import { paths } from '@/routes/paths'
import { isolated } from '@/ui/format'

/** The kinds of things that are reported and decided about. */
export const SUBJECTS: Record<SubjectKind, MessageDescriptor> = {
  record: msg`Record`,
  map: msg`Map`,
  player: msg`Player`,
}

/** The reasons of reports and decisions. A report has no mistake. */
export const REASONS: Record<PublicReason, MessageDescriptor> = {
  not_own_play: msg`Played by somebody else or by a program`,
  edited: msg`The replay was edited`,
  wrong_map: msg`The replay is of another map`,
  stolen: msg`Copied from another author`,
  broken: msg`It cannot be finished`,
  indecent: msg`Indecent content`,
  duplicate: msg`The same map exists already`,
  alt_account: msg`Second account of a player`,
  name: msg`Indecent name`,
  avatar: msg`Indecent avatar`,
  mistake: msg`An earlier decision was a mistake`,
  other: msg`Something else`,
}

/** What a decision does. */
export const DECISIONS: Record<DecisionKind, MessageDescriptor> = {
  dismiss: msg`Dismiss`,
  remove_record: msg`Remove the record`,
  restore_record: msg`Restore the record`,
  remove_map: msg`Remove the map`,
  restore_map: msg`Restore the map`,
  unrank_map: msg`Unrank the map`,
  rank_map: msg`Rank the map again`,
  warn: msg`Warn the player`,
  ban: msg`Ban the player`,
  unban: msg`Lift the ban`,
  merge: msg`Merge into another player`,
  reopen: msg`Reopen the case`,
  withdraw_warning: msg`Withdraw the warning`,
}

/** What was decided, as the list of a player's decisions says it. */
export const DECIDED: Record<DecisionKind, MessageDescriptor> = {
  dismiss: msg`Dismissed`,
  remove_record: msg`Record removed`,
  restore_record: msg`Record restored`,
  remove_map: msg`Map removed`,
  restore_map: msg`Map restored`,
  unrank_map: msg`Map unranked`,
  rank_map: msg`Map ranked again`,
  warn: msg`Warned`,
  ban: msg`Banned`,
  unban: msg`Ban lifted`,
  merge: msg`Merged`,
  reopen: msg`Case reopened`,
  withdraw_warning: msg`Warning withdrawn`,
}

export const STATES: Record<Decision['state'], MessageDescriptor> = {
  pending: msg`Being carried out`,
  carried_out: msg`Carried out`,
  refused: msg`Refused`,
}

export const FLAGS: Record<FlagKind, MessageDescriptor> = {
  large_lead: msg`Much faster than the record before`,
  new_account: msg`First record of a new account, near the top`,
  same_moment: msg`Two finishes at the same moment`,
  impossible_pace: msg`More racing time than time passed`,
  copied_finish: msg`Time and moment of another player's finish`,
  relabelled_replay: msg`Another player's replay with another name`,
  old_version: msg`Older version than the map's replay`,
}

/** Names a thing: a record by its time, map and player. */
export function subjectText({ kind, player, map, finishTime }: CaseSubject): string {
  const name = player?.name ?? t`an unknown player`
  if (kind === 'player') return name
  const mapName = map ? isolated(map.name) : t`an unknown map`
  if (kind === 'map') return mapName
  if (finishTime === null) return t`${name} on ${mapName}`
  return t`${formatTime(finishTime)} by ${name} on ${mapName}`
}

/** Returns what is not translated in a text that names a thing. */
export const subjectNames = ({ player, map, finishTime }: CaseSubject) => [
  player?.name,
  map?.name,
  finishTime === null ? null : formatTime(finishTime),
]

/** The page that shows a thing. */
export function subjectLink({ kind, id }: Pick<CaseSubject, 'kind' | 'id'>): string {
  if (kind === 'record') return paths.record(id)
  return kind === 'map' ? paths.leaderboard(id) : paths.player(id)
}
