import type { InboxGroup } from '@/api'
import { TextWithNames } from '@/ui/TextWithNames'
import { sentenceOf } from './sentences'

/** What happened, as a sentence. */
export const GroupSentence = ({ group }: { group: InboxGroup }) => (
  <TextWithNames text={sentenceOf(group)} names={[group.actors[0]?.name, group.map?.name, group.player?.name]} />
)
