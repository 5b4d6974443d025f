import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { RankingBy } from '@/api'

/** The names of the rankings, which are those of their columns. */
export const RANKING_NAMES: Record<RankingBy, MessageDescriptor> = {
  points: msg`Points`,
  worldRecords: msg`World records`,
  authorMedals: msg`Author medals`,
  goldMedals: msg`Gold medals`,
  finished: msg`Finished maps`,
}
