import { i18n } from '@lingui/core'
import type { CaseSubject, DecisionKind } from '@/api/desk'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { DECISIONS, REASONS, subjectNames } from '@/entities/moderation/texts'
import { ConfirmDialog, Stack, Text } from '@/ui'
import { TextWithNames } from '@/ui/TextWithNames'
import type { DecisionValues } from './decisionRules'
import { decisionText } from './decisionTexts'
import { Effects } from './Effects'

interface Props {
  subject: CaseSubject
  /** What the form says; it was checked. */
  values: DecisionValues
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Says what a decision changes before it is made. It opens when it is mounted. */
export default function ReviewDialog({ subject, values, onConfirm, onClose }: Props) {
  const kind = values.kind as DecisionKind
  const deed = i18n._(DECISIONS[kind])
  return (
    <ConfirmDialog
      title={deed}
      confirm={deed}
      colorPalette={kind === 'dismiss' ? 'brand' : 'red'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Stack gap="3">
        <Text fontWeight="semibold">
          <SubjectName subject={subject} />
        </Text>
        <Text>
          <TextWithNames
            text={decisionText(kind, subject, values.intoId.chosen)}
            names={[...subjectNames(subject), values.intoId.chosen?.name]}
          />
        </Text>
        <Effects kind={kind} subject={subject} keepRecords={values.records === 'keep'} />
        {values.publicReason && <Text color="fg.muted">{i18n._(REASONS[values.publicReason])}</Text>}
      </Stack>
    </ConfirmDialog>
  )
}
