import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { type Appeal, useAddAppealMessageMutation, useCreateAppealMutation } from '@/api/desk'
import { Form, type Outcome, TextareaField, textDraft, useForm, useSubmit } from '@/forms'
import { lengthOf } from '@/forms/characters'

const MIN_TEXT = 10
const MAX_TEXT = 1000

interface Values {
  text: string
}

const schema = () =>
  v.object({
    text: v.pipe(
      v.string(),
      v.trim(),
      v.check((text) => lengthOf(text) >= MIN_TEXT, t`Write at least ${MIN_TEXT} characters.`),
      v.check((text) => lengthOf(text) <= MAX_TEXT, t`A message has at most ${MAX_TEXT} characters.`),
    ),
  })

interface Props {
  decisionId: string
  /** The appeal that is open; without one, the message begins an appeal. */
  appeal?: Appeal
}

/** Appeals against a decision, or adds to an appeal that is open. */
export function AppealForm({ decisionId, appeal }: Props) {
  const [createAppeal] = useCreateAppealMutation()
  const [addMessage] = useAddAppealMessageMutation()
  const form = useForm<Values, Values>({
    schema,
    defaultValues: { text: '' },
    draft: { key: decisionId, schema: textDraft },
  })
  const send = async ({ text }: Values): Promise<Outcome> => {
    const { data, error } = appeal
      ? await addMessage({ id: appeal._id, appealMessageRequest: { text } })
      : await createAppeal({ appealRequest: { decisionId, text } })
    return data ? { message: t`Sent to the moderators` } : { error }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to send the appeal`,
    loginRequired: t`You must be logged in to appeal.`,
    fieldOf: (code) => (code === 'appeal_text' ? 'text' : undefined),
  })
  return (
    <Form
      form={form}
      submission={submission}
      label={t`Appeal`}
      button={appeal ? t`Send another message` : t`Appeal against the decision`}
    >
      <TextareaField control={form.control} name="text" label={t`Your message`} rows={6} maxLength={MAX_TEXT} />
    </Form>
  )
}
