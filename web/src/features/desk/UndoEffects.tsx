import type { Decision } from '@/api/desk'
import { subjectNames } from '@/entities/moderation/texts'
import { Stack, Text } from '@/ui'
import { TextWithNames } from '@/ui/TextWithNames'
import { INVERSES, undoText } from './decisionTexts'
import { Effects } from './Effects'

/** What undoing a decision does, also in numbers. */
export function UndoEffects({ decision }: { decision: Decision }) {
  const inverse = INVERSES[decision.kind]
  return (
    <Stack gap="3">
      <Text>
        <TextWithNames text={undoText(decision)} names={subjectNames(decision.subject)} />
      </Text>
      {inverse && <Effects kind={inverse} subject={decision.subject} keepRecords={decision.keepRecords} />}
    </Stack>
  )
}
