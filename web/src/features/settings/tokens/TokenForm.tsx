import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { type CreatedToken, type NewToken, type TokenScope, useCreateTokenMutation } from '@/api/settings'
import { ChecksField, Form, type Outcome, SelectField, TextField, useForm, useSubmit } from '@/forms'
import { lengthOf } from '@/forms/characters'
import { scopeTexts } from './scopes'

const MAX_NAME = 50

type Days = '7' | '30' | '90' | '365'

const expiries = (): Record<Days, string> => ({
  '7': t`In 7 days`,
  '30': t`In 30 days`,
  '90': t`In 90 days`,
  '365': t`In a year`,
})

interface Values {
  name: string
  scopes: TokenScope[]
  expiresInDays: Days
}

const schema = () =>
  v.object({
    name: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(t`A name is required`),
      v.check((name) => lengthOf(name) <= MAX_NAME, t`A name has at most ${MAX_NAME} characters.`),
    ),
    scopes: v.pipe(
      v.array(v.picklist(['records:submit', 'inbox:read', 'follows', 'webhooks'])),
      v.minLength(1, t`Choose what the token is for.`),
    ),
    expiresInDays: v.pipe(v.picklist(['7', '30', '90', '365']), v.transform(Number)),
  })

interface Props {
  onCreated: (created: CreatedToken) => void
  onCancel: () => void
}

/** Makes a token. */
export function TokenForm({ onCreated, onCancel }: Props) {
  const [createToken] = useCreateTokenMutation()
  const form = useForm<Values, NewToken>({
    schema,
    defaultValues: { name: '', scopes: [], expiresInDays: '90' },
  })
  const send = async (newToken: NewToken): Promise<Outcome> => {
    const { data, error } = await createToken({ newToken })
    if (!data) return { error }
    onCreated(data.data)
    return { message: t`Token created` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to create the token`,
    loginRequired: t`You must be logged in to create a token.`,
  })
  return (
    <Form form={form} submission={submission} label={t`New token`} button={t`Create token`} onCancel={onCancel}>
      <TextField
        control={form.control}
        name="name"
        label={t`Name`}
        help={t`What it is for, such as “Bot on my server”.`}
        maxLength={MAX_NAME}
        autoFocus
      />
      <ChecksField control={form.control} name="scopes" label={t`The token may`} choices={scopeTexts()} />
      <SelectField control={form.control} name="expiresInDays" label={t`Expires`} choices={expiries()} />
    </Form>
  )
}
