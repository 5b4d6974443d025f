import { t } from '@lingui/core/macro'
import type { Decision } from '@/api/desk'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { ConfirmDialog, Stack, Text } from '@/ui'
import { UndoEffects } from './UndoEffects'

interface Props {
  decision: Decision
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Says what undoing a decision changes before an appeal is granted. It opens when it is mounted. */
export default function GrantDialog({ decision, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog title={t`Grant the appeal`} confirm={t`Grant`} onConfirm={onConfirm} onClose={onClose}>
      <Stack gap="3">
        <Text fontWeight="semibold">
          <SubjectName subject={decision.subject} />
        </Text>
        <UndoEffects decision={decision} />
      </Stack>
    </ConfirmDialog>
  )
}
