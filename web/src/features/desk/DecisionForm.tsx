import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import {
  type CaseDetail,
  type DecisionKind,
  type DecisionRequest,
  useClaimCaseMutation,
  useDecideCaseMutation,
} from '@/api/desk'
import { refusalSentence } from '@/api/error'
import { DECISIONS, REASONS } from '@/entities/moderation/texts'
import {
  Form,
  lookupEntry,
  type Outcome,
  PlayerField,
  SelectField,
  type SiteForm,
  TextareaField,
  TextField,
  textDraft,
  useForm,
  useSubmit,
} from '@/forms'
import { Stack, Text } from '@/ui'
import { choicesOf } from '@/ui/choices'
import { dialogOnDemand } from '@/ui/more/dialogButton'
import { toaster } from '@/ui/toaster'
import {
  type DecisionValues,
  type Duration,
  decisionSchema,
  fieldOf,
  MAX_TEXT,
  NO_DECISION,
  PUBLIC_REASONS,
  refusedDecision,
} from './decisionRules'

const ReviewDialog = dialogOnDemand(() => import('./ReviewDialog'))

const durations = (): Record<Duration, string> => ({
  '1': t`1 day`,
  '3': t`3 days`,
  '7': t`1 week`,
  '30': t`30 days`,
  '90': t`90 days`,
  '365': t`1 year`,
  date: t`Until a date`,
  never: t`Permanently`,
})

// A claim lasts 20 minutes.
const RENEW_MS = 5 * 60_000

/** Renews the claim while the moderator fills in the form. */
function useRenewedClaim({ _id, conflict }: CaseDetail, { subscribe }: SiteForm<DecisionValues, DecisionRequest>) {
  const [claimCase] = useClaimCaseMutation()
  const override = conflict !== null
  useEffect(() => {
    let renewed = Date.now()
    const renew = () => {
      if (Date.now() - renewed < RENEW_MS) return
      renewed = Date.now()
      void claimCase({ id: _id, claimRequest: override ? { override } : {} })
    }
    return subscribe({ formState: { values: true }, callback: renew })
  }, [_id, override, claimCase, subscribe])
}

/** Decides a case that the moderator has claimed. What it changes is shown before it is done. */
export function DecisionForm({ detail }: { detail: CaseDetail }) {
  const { _id, subject, allowed, conflict } = detail
  const [decideCase] = useDecideCaseMutation()
  const form = useForm<DecisionValues, DecisionRequest>({
    schema: decisionSchema,
    defaultValues: NO_DECISION,
    draft: { key: `decision-${_id}`, schema: textDraft },
  })
  useRenewedClaim(detail, form)
  const { opened, close, buttonProps } = ReviewDialog.useOpened()

  const send = async (request: DecisionRequest): Promise<Outcome> => {
    const decisionRequest = { ...request, ...(conflict && { override: true }) }
    const { data, error } = await decideCase({ id: _id, decisionRequest })
    if (!data) return { error }
    const { state, refusal } = data.data
    if (state === 'refused') {
      // The case is open again and has to be claimed: the form ends, and its draft stays.
      const description = refusal ? { description: refusalSentence(refusal) } : {}
      toaster.error({ title: t`The decision was refused`, ...description })
      return { error: refusedDecision(refusal) }
    }
    form.reset(NO_DECISION)
    return { message: state === 'pending' ? t`Decided. It is being carried out.` : t`Decided and carried out` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to decide the case`,
    loginRequired: t`You must be logged in to decide.`,
    fieldOf: (code) => (code === 'ban_until' && form.getValues('until') === 'date' ? 'untilDay' : fieldOf(code)),
  })
  const review = async () => {
    // The errors of a form that is not complete are shown as if it were sent.
    if (await form.trigger()) buttonProps.onClick()
    else await submission.submit()
  }
  const { kind, until } = form.watch()
  return (
    <>
      <Form
        form={form}
        submission={{ ...submission, submit: review }}
        label={t`Decision`}
        button={t`Review and decide`}
      >
        <SelectField
          control={form.control}
          name="kind"
          label={t`Decision`}
          choices={{ '': t`Choose a decision`, ...choicesOf<DecisionKind>(DECISIONS, allowed) }}
          onChoose={() => form.setValue('intoId', lookupEntry(null))}
        />
        {kind === 'ban' && (
          <Stack gap="4">
            <SelectField control={form.control} name="until" label={t`How long`} choices={durations()} />
            {until === 'date' && (
              <TextField control={form.control} name="untilDay" label={t`Ban ends on`} type="date" />
            )}
            <SelectField
              control={form.control}
              name="records"
              label={t`Records`}
              choices={{ hide: t`Hide them while the ban lasts`, keep: t`Keep them visible` }}
            />
          </Stack>
        )}
        {kind === 'merge' && (
          <PlayerField
            control={form.control}
            name="intoId"
            label={t`Merge into`}
            help={t`Type a name, then choose a player.`}
            exceptId={subject.player?._id}
          />
        )}
        <SelectField
          control={form.control}
          name="publicReason"
          label={t`Public reason`}
          choices={{ '': t`Choose a reason`, ...choicesOf(REASONS, PUBLIC_REASONS[subject.kind]) }}
        />
        <TextareaField
          control={form.control}
          name="text"
          label={t`Why`}
          help={t`The player reads it, and it is kept in the audit log. Do not name anyone who has reported something.`}
          rows={4}
          maxLength={MAX_TEXT}
        />
        {allowed.length === 0 && <Text color="fg.muted">{t`No decision applies right now.`}</Text>}
      </Form>
      {opened && (
        <ReviewDialog.Component
          subject={subject}
          values={form.getValues()}
          onConfirm={submission.submit}
          onClose={close}
        />
      )}
    </>
  )
}
