import { t } from '@lingui/core/macro'
import type { CaseSubject, Decision, DecisionKind } from '@/api/desk'
import { subjectText } from '@/entities/moderation/texts'
import type { NamedThing } from '@/forms'

/**
 * Says what a decision does, besides the numbers that the owner of the data has. A merge goes into the player `into`.
 */
export function decisionText(kind: DecisionKind, subject: CaseSubject, into: NamedThing | null = null): string {
  const name = subject.player?.name ?? t`The player`
  const thing = subjectText(subject)
  const other = into?.name ?? t`the other player`
  switch (kind) {
    case 'dismiss':
      return t`Nothing changes. Those who have reported it are told that it stays.`
    case 'remove_record':
      return t`${thing} is removed from the leaderboard.`
    case 'restore_record':
      return t`${thing} is shown again, in its old place.`
    case 'remove_map':
      return t`${thing} is removed with its leaderboard.`
    case 'restore_map':
      return t`${thing} is shown again, with its leaderboard.`
    case 'unrank_map':
      return t`${thing} stays, and its records give no points.`
    case 'rank_map':
      return t`The records of ${thing} give points again.`
    case 'warn':
      return t`${name} is notified. Nothing else changes.`
    case 'ban':
      return t`${name} can log in only to read the reason and to appeal.`
    case 'unban':
      return t`${name} can use the site again. Records that the ban has hidden are shown again.`
    case 'merge':
      return t`All records and maps of ${name} become those of ${other}. This cannot be undone.`
    default:
      return ''
  }
}

/** The kinds of decisions that undo others by changing something. */
export const INVERSES: Partial<Record<DecisionKind, DecisionKind>> = {
  remove_record: 'restore_record',
  restore_record: 'remove_record',
  remove_map: 'restore_map',
  restore_map: 'remove_map',
  unrank_map: 'rank_map',
  rank_map: 'unrank_map',
  ban: 'unban',
  unban: 'ban',
}

/** Says what undoing a decision does. */
export function undoText({ kind, subject }: Decision): string {
  const does = INVERSES[kind]
  if (does) return decisionText(does, subject)
  if (kind === 'warn') return t`The warning is withdrawn, and the player is told.`
  return t`The case is open again.`
}
