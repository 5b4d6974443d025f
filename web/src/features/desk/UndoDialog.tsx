import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { type Decision, type PublicReason, type UndoRequest, useUndoDecisionMutation } from '@/api/desk'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { DECIDED, REASONS } from '@/entities/moderation/texts'
import { Form, type Outcome, SelectField, TextareaField, textDraft, useForm, useSubmit } from '@/forms'
import { Stack, Text } from '@/ui'
import { choicesOf } from '@/ui/choices'
import { FormDialog } from '@/ui/more/FormDialog'
import { chosenReason, fieldOf, MAX_TEXT, PUBLIC_REASONS, reasonText, refusedDecision } from './decisionRules'
import { UndoEffects } from './UndoEffects'

interface Values {
  publicReason: PublicReason
  text: string
}

const schema = () => v.object({ publicReason: chosenReason(), text: reasonText() })

/** A dialog that undoes a decision. It opens when it is mounted. */
export default function UndoDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const decided = i18n._(DECIDED[decision.kind])
  return (
    <FormDialog title={t`Undo: ${decided}`} onClose={onClose}>
      <Stack gap="4">
        <Text fontWeight="semibold">
          <SubjectName subject={decision.subject} />
        </Text>
        <UndoEffects decision={decision} />
        <UndoForm decision={decision} onClose={onClose} />
      </Stack>
    </FormDialog>
  )
}

function UndoForm({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const [undoDecision] = useUndoDecisionMutation()
  const form = useForm<Values, UndoRequest>({
    schema,
    defaultValues: { publicReason: 'mistake', text: '' },
    draft: { key: `undo-${decision._id}`, schema: textDraft },
  })
  const send = async (undoRequest: UndoRequest): Promise<Outcome> => {
    const { data, error } = await undoDecision({ id: decision._id, undoRequest })
    if (!data) return { error }
    const { state, refusal } = data.data
    if (state === 'refused') return { error: refusedDecision(refusal) }
    onClose()
    return { message: state === 'pending' ? t`Undone. It is being carried out.` : t`Undone` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to undo the decision`,
    loginRequired: t`You must be logged in to decide.`,
    fieldOf,
  })
  return (
    <Form
      form={form}
      submission={submission}
      label={t({ message: 'Undo', context: 'form' })}
      button={t`Undo the decision`}
      onCancel={onClose}
    >
      <SelectField
        control={form.control}
        name="publicReason"
        label={t`Public reason`}
        choices={choicesOf(REASONS, PUBLIC_REASONS[decision.subject.kind])}
      />
      <TextareaField control={form.control} name="text" label={t`Why`} rows={4} maxLength={MAX_TEXT} />
    </Form>
  )
}
