import type { Decision } from '@/api/desk'
import { Stack, Text } from '@/ui'
import { INVERSES, undoText } from './decisionTexts'
import { Effects } from './Effects'

/** What undoing a decision does, also in numbers. */
export function UndoEffects({ decision }: { decision: Decision }) {
  const inverse = INVERSES[decision.kind]
  return (
    <Stack gap="3">
      <Text>{undoText(decision)}</Text>
      {inverse && <Effects kind={inverse} subject={decision.subject} keepRecords={decision.keepRecords} />}
    </Stack>
  )
}
